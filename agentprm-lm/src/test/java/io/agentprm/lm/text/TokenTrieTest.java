package io.agentprm.lm.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.agentprm.api.lm.TokenConstraint;
import io.agentprm.lm.tokenizer.BpeTrainer;
import io.agentprm.lm.tokenizer.ByteLevelTokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TokenTrieTest {
    private static final List<String> ACTIONS =
            List.of("go to bed 1", "go to bed 12", "go to bed 11", "look", "look at bed 1");

    @Test
    void exactlyTheActionsCanBeSpelled() {
        ByteLevelTokenizer tokenizer = BpeTrainer.ofSize(290).train(ACTIONS);
        TokenTrie trie = TokenTrie.ofActions(ACTIONS, ReplyFormat.plain(), tokenizer);
        Set<String> spelled = new TreeSet<>();
        spell(trie.start(), new int[0], tokenizer, spelled);
        assertEquals(new TreeSet<>(ACTIONS), spelled);
    }

    @Test
    void anActionThatBeginsAnotherEndsWithTheEndOfTurn() {
        TokenTrie trie = TokenTrie.of(List.of(new int[] {5, 2}, new int[] {5, 6, 2}));
        TokenConstraint.State afterFive = trie.start().next(5);
        assertArrayEquals(new int[] {2, 6}, afterFive.allowed());
        assertArrayEquals(new int[] {}, afterFive.next(2).allowed());
        assertArrayEquals(new int[] {2}, afterFive.next(6).allowed());
    }

    @Test
    void theSameActionTwiceIsTheSameAsOnce() {
        TokenTrie trie = TokenTrie.of(List.of(new int[] {5, 2}, new int[] {5, 2}));
        assertArrayEquals(new int[] {2}, trie.start().next(5).allowed());
    }

    @Test
    void whatIsNotAllowedHasNoNextState() {
        TokenTrie trie = TokenTrie.of(List.of(new int[] {5, 2}));
        assertThrows(IllegalArgumentException.class, () -> trie.start().next(2));
    }

    @Test
    void noActionsOrOpenPrefixesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> TokenTrie.of(List.of()));
        assertThrows(
                IllegalArgumentException.class,
                () -> TokenTrie.of(List.of(new int[] {5}, new int[] {5, 6})));
        assertThrows(
                IllegalArgumentException.class,
                () -> TokenTrie.of(List.of(new int[] {5, 6}, new int[] {5})));
        assertThrows(IllegalArgumentException.class, () -> TokenTrie.of(List.of(new int[0])));
    }

    private static void spell(
            TokenConstraint.State state,
            int[] soFar,
            ByteLevelTokenizer tokenizer,
            Set<String> out) {
        if (state.allowed().length == 0) {
            assertEquals(tokenizer.endOfTurn(), soFar[soFar.length - 1]);
            out.add(tokenizer.decode(soFar));
        }
        for (int id : state.allowed()) {
            int[] more = Arrays.copyOf(soFar, soFar.length + 1);
            more[soFar.length] = id;
            spell(state.next(id), more, tokenizer, out);
        }
    }
}
