package io.agentprm.engine.openai;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.SampledTokens;
import io.agentprm.lm.text.TokenTrie;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each dialect is sent and how its answers are read; answers in the servers' own form. */
class TokenProtocolTest {
    private static final TokenProtocol VLLM = TokenProtocol.of(Dialect.VLLM, Optional.of("m"));
    private static final TokenProtocol SGLANG = TokenProtocol.of(Dialect.SGLANG, Optional.of("m"));
    private static final TokenProtocol LLAMA_CPP =
            TokenProtocol.of(Dialect.LLAMA_CPP, Optional.of("m"));

    private static JsonNode json(String text) {
        try {
            return Answers.MAPPER.readTree(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void sends(String path, String body, Request request) {
        assertEquals(path, request.path());
        assertEquals(json(body), json(request.body().toString()));
    }

    private static void tokens(TokenProtocol protocol, String answer) {
        SampledTokens tokens = protocol.sampled(json(answer));
        assertArrayEquals(new int[] {5, 2}, tokens.ids());
        assertArrayEquals(new double[] {-0.5, -0.25}, tokens.logProbs());
        assertEquals(1, tokens.temperature());
    }

    private static void refuses(TokenProtocol protocol, String answer, String part) {
        ServerException e =
                assertThrows(ServerException.class, () -> protocol.sampled(json(answer)));
        assertTrue(e.getMessage().contains(part), e.getMessage());
    }

    private static Request generation(TokenProtocol protocol) {
        return protocol.generation(new int[] {1, 7}, new Sampling(0.5, 0.9, 4), 2, 77);
    }

    @Test
    void vllmIsAskedForTokensAndToldEverythingThatShapesThem() {
        sends(
                "/v1/completions",
                "{'model': 'm', 'prompt': [1, 7], 'n': 1, 'max_tokens': 4, 'temperature': 0.5,"
                        + " 'top_p': 0.9, 'top_k': -1, 'min_p': 0, 'repetition_penalty': 1,"
                        + " 'seed': 77, 'logprobs': 1, 'return_tokens_as_token_ids': true,"
                        + " 'skip_special_tokens': false, 'stop_token_ids': [2]}",
                generation(VLLM));
        tokens(
                VLLM,
                "{'choices': [{'text': 'x', 'finish_reason': 'stop', 'logprobs': {'tokens':"
                        + " ['token_id:5', 'token_id:2'], 'token_logprobs': [-0.5, -0.25]}}]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'choices': []}#1 elements in choices, but has 0",
                "{'choices': [{}, {}]}#1 elements in choices, but has 2",
                "{'object': 'error'}#no choices",
                "{'choices': [{'text': 'x', 'logprobs': null}]}#no choices[0].logprobs",
                "{'choices': [{'logprobs': {'tokens': ['token_id:5'], 'token_logprobs': [null]}}]}"
                        + "#a finite number in choices[0].logprobs.token_logprobs[0]",
                "{'choices': [{'logprobs': {'tokens': ['token_id:5'], 'token_logprobs': []}}]}"
                        + "#1 elements in choices[0].logprobs.token_logprobs, but has 0",
                "{'choices': [{'logprobs': {'tokens': ['go'], 'token_logprobs': [-1]}}]}"
                        + "#no token id in choices[0].logprobs.tokens[0] but 'go'",
                "{'choices': [{'logprobs': {'tokens': [], 'token_logprobs': []}}]}#no tokens"
            })
    void anAnswerThatIsNotWhatWasAskedForIsAnErrorThatNamesThePlace(String answerAndPart) {
        String[] parts = answerAndPart.split("#", 2);
        refuses(VLLM, parts[0], parts[1]);
    }

    @Test
    void vllmGivesTheLogProbabilitiesOfAPrompt() {
        sends(
                "/v1/completions",
                "{'model': 'm', 'prompt': [1, 7, 9], 'max_tokens': 1, 'temperature': 0,"
                        + " 'prompt_logprobs': 1}",
                VLLM.logProbs(new int[] {1, 7, 9}));
        String answer =
                "{'choices': [{'prompt_logprobs': [null, {'7': {'logprob': -1.5, 'rank': 3}, '8':"
                        + " {'logprob': -0.1, 'rank': 1}}, {'9': {'logprob': -2.5, 'rank': 1}}]}]}";
        assertArrayEquals(
                new double[] {-1.5, -2.5}, VLLM.logProbs(json(answer), new int[] {1, 7, 9}));
        ServerException e =
                assertThrows(
                        ServerException.class,
                        () -> VLLM.logProbs(json(answer), new int[] {1, 6, 9}));
        assertTrue(e.getMessage().contains("prompt_logprobs[1].6"), e.getMessage());
    }

    @Test
    void vllmGivesScoresAsTheHeadPutsThemOut() {
        sends(
                "/pooling",
                "{'model': 'm', 'input': [1, 7], 'task': 'classify', 'use_activation': false,"
                        + " 'activation': false}",
                VLLM.score(new int[] {1, 7}));
        assertEquals(-3.5, VLLM.score(json("{'data': [{'index': 0, 'data': [-3.5]}]}")));
        assertThrows(ServerException.class, () -> VLLM.score(json("{'data': [{'data': [1, 2]}]}")));
    }

    @Test
    void sglangIsAskedThroughItsOwnEndpoint() {
        sends(
                "/generate",
                "{'input_ids': [1, 7], 'sampling_params': {'max_new_tokens': 4, 'temperature': 0.5,"
                        + " 'top_p': 0.9, 'top_k': -1, 'min_p': 0, 'repetition_penalty': 1,"
                        + " 'sampling_seed': 77, 'skip_special_tokens': false, 'no_stop_trim': true,"
                        + " 'stop_token_ids': [2]}, 'return_logprob': true}",
                generation(SGLANG));
        tokens(
                SGLANG,
                "{'text': 'x', 'meta_info': {'finish_reason': {'type': 'stop', 'matched': 2},"
                        + " 'output_token_logprobs': [[-0.5, 5, null], [-0.25, 2, null]]}}");
        refuses(SGLANG, "{'meta_info': {}}", "no meta_info.output_token_logprobs");
        refuses(
                SGLANG,
                "{'meta_info': {'output_token_logprobs': [[null, 5, null]]}}",
                "output_token_logprobs[0][0]");
    }

    @Test
    void sglangGivesTheLogProbabilitiesOfAPrompt() {
        sends(
                "/generate",
                "{'input_ids': [1, 7], 'sampling_params': {'max_new_tokens': 1, 'temperature': 0},"
                        + " 'return_logprob': true, 'logprob_start_len': 0}",
                SGLANG.logProbs(new int[] {1, 7}));
        String answer =
                "{'meta_info': {'input_token_logprobs': [[null, 1, null], [-1.5, 7, null]]}}";
        assertArrayEquals(new double[] {-1.5}, SGLANG.logProbs(json(answer), new int[] {1, 7}));
        assertThrows(ServerException.class, () -> SGLANG.logProbs(json(answer), new int[] {1, 8}));
        assertThrows(
                ServerException.class, () -> SGLANG.logProbs(json(answer), new int[] {1, 7, 8}));
    }

    @Test
    void sglangGivesScoresOneByOneOrInAList() {
        sends("/classify", "{'input_ids': [1, 7]}", SGLANG.score(new int[] {1, 7}));
        assertEquals(2.5, SGLANG.score(json("[{'embedding': [2.5]}]")));
        assertEquals(2.5, SGLANG.score(json("{'embedding': [2.5], 'meta_info': {}}")));
    }

    @Test
    void llamaCppIsAskedThroughItsOwnEndpoint() {
        sends(
                "/completion",
                "{'prompt': [1, 7], 'n_predict': 4, 'temperature': 0.5, 'top_p': 0.9, 'top_k': 0,"
                        + " 'min_p': 0, 'repeat_penalty': 1, 'seed': 77, 'n_probs': 1,"
                        + " 'post_sampling_probs': false, 'return_tokens': true, 'samplers':"
                        + " ['temperature', 'top_p']}",
                generation(LLAMA_CPP));
        tokens(
                LLAMA_CPP,
                "{'index': 0, 'content': 'x', 'tokens': [5, 2], 'id_slot': 0, 'stop': true,"
                        + " 'tokens_predicted': 2, 'tokens_evaluated': 2, 'truncated': false,"
                        + " 'stop_type': 'eos', 'stopping_word': '', 'completion_probabilities':"
                        + " [{'id': 5, 'token': 'x', 'bytes': [120], 'logprob': -0.5,"
                        + " 'top_logprobs': [{'id': 5, 'token': 'x', 'bytes': [120], 'logprob':"
                        + " -0.5}]}, {'id': 2, 'token': '', 'bytes': [], 'logprob': -0.25,"
                        + " 'top_logprobs': [{'id': 9, 'token': 'y', 'bytes': [121], 'logprob':"
                        + " -0.125}]}]}");
        refuses(LLAMA_CPP, "{'content': 'x'}", "no tokens");
        refuses(
                LLAMA_CPP,
                "{'tokens': [5], 'completion_probabilities': [{'id': 6, 'logprob': -1}]}",
                "describes in completion_probabilities[0] a token that is not in its place");
    }

    /** Of a character in several tokens only the last is described, together with the others. */
    @Test
    void llamaCppLeavesOutTokensWithinACharacterWhichAreThenMissing() {
        SampledTokens tokens =
                LLAMA_CPP.sampled(
                        json(
                                "{'content': 'E.', 'tokens': [72, 186, 49, 34, 2], 'stop_type':"
                                        + " 'eos', 'completion_probabilities': [{'id': 72, 'token':"
                                        + " 'E', 'bytes': [69], 'logprob': -3.5, 'top_logprobs': []},"
                                        + " {'id': 49, 'token': '.', 'bytes': [228, 46], 'logprob':"
                                        + " -3.25, 'top_logprobs': []}, {'id': 2, 'token': '', 'bytes':"
                                        + " [31], 'logprob': -0.5, 'top_logprobs': []}]}"));
        assertArrayEquals(new int[] {72, 186, 49, 34, 2}, tokens.ids());
        assertArrayEquals(
                new double[] {-3.5, Double.NaN, -3.25, Double.NaN, -0.5}, tokens.logProbs());
    }

    @Test
    void aDescriptionThatFitsTwoTokensIsGivenToNeither() {
        SampledTokens tokens =
                LLAMA_CPP.sampled(
                        json(
                                "{'tokens': [8, 9, 9, 2], 'completion_probabilities': [{'id': 8,"
                                        + " 'logprob': -1}, {'id': 9, 'logprob': -2}, {'id': 2,"
                                        + " 'logprob': -3}]}"));
        assertArrayEquals(new double[] {-1, Double.NaN, Double.NaN, -3}, tokens.logProbs());
        assertArrayEquals(
                new double[] {Double.NaN},
                LLAMA_CPP.sampled(json("{'tokens': [8], 'stop_type': 'limit'}")).logProbs());
    }

    @Test
    void whatIsMissingIsInTheDistributionBeforeAnEndThatComesAtOnce() {
        sends(
                "/completion",
                "{'prompt': [1, 7], 'n_predict': 1, 'temperature': 0, 'n_probs': 1048576,"
                        + " 'post_sampling_probs': false, 'grammar':"
                        + " 'root ::= \\'\\''}",
                LLAMA_CPP.next(new int[] {1, 7}));
        JsonNode answer =
                json(
                        "{'tokens': [2], 'completion_probabilities': [{'id': 2, 'logprob': -5.5,"
                                + " 'top_logprobs': [{'id': 44, 'logprob': -3.25}, {'id': 2,"
                                + " 'logprob': -5.5}]}]}");
        assertEquals(-3.25, LLAMA_CPP.next(answer, 44));
        assertThrows(ServerException.class, () -> LLAMA_CPP.next(answer, 45));
    }

    @Test
    void aConstraintIsAGrammarOfTokensWhichEndsWhereATurnDoes() {
        TokenTrie trie =
                TokenTrie.of(
                        List.of(
                                new int[] {10, 20, 2},
                                new int[] {10, 20, 21, 2},
                                new int[] {11, 22},
                                new int[] {12, 2}));
        assertEquals(
                "root ::= (<[10]> <[20]> (\"\" | <[21]> \"\") | <[11]> <[22]> \"\" | <[12]> \"\")",
                LLAMA_CPP.within(generation(LLAMA_CPP), trie, 2).body().path("grammar").asText());
    }

    private static SampledTokens kept(int... ids) {
        TokenTrie trie = TokenTrie.of(List.of(new int[] {10, 2}, new int[] {11, 22}));
        return TokenGrammar.kept(SampledTokens.of(ids, new double[ids.length], 1), trie, 2);
    }

    @Test
    void aReplyIsKeptAsFarAsTheConstraintGoes() {
        assertArrayEquals(new int[] {10, 2}, kept(10, 2).ids());
        assertArrayEquals(new int[] {11, 22}, kept(11, 22, 2).ids(), "an end of the server's");
        assertArrayEquals(new int[] {11}, kept(11).ids(), "cut at the length limit");
    }

    @Test
    void anotherEndOfTheModelIsTheEndOfTurnWithoutALogProbability() {
        assertArrayEquals(new int[] {10, 2}, kept(10, 3).ids());
        assertArrayEquals(new double[] {0, Double.NaN}, kept(10, 3).logProbs());
    }

    @Test
    void aServerThatDoesNotKeepToTheGrammarIsFoundOut() {
        ServerException e = assertThrows(ServerException.class, () -> kept(10, 22, 2));
        assertTrue(e.getMessage().contains("token 22 where it was not allowed"), e.getMessage());
        assertThrows(ServerException.class, () -> kept(3));
    }

    /** What a dialect declares and what its protocol does are one. */
    @ParameterizedTest
    @EnumSource(names = "OPENAI", mode = EnumSource.Mode.EXCLUDE)
    void whatIsDeclaredIsThere(Dialect dialect) {
        TokenProtocol protocol = TokenProtocol.of(dialect, Optional.empty());
        assertTrue(dialect.can(Capability.TOKEN_IDS));
        assertEquals(
                dialect.can(Capability.PROMPT_LOG_PROBS),
                works(() -> protocol.logProbs(new int[] {1, 2})));
        assertEquals(dialect.can(Capability.SCORES), works(() -> protocol.score(new int[] {1, 2})));
        assertEquals(
                dialect.can(Capability.TOKEN_GRAMMARS),
                works(
                        () ->
                                protocol.within(
                                        generation(protocol),
                                        TokenTrie.of(List.of(new int[] {5, 2})),
                                        2)));
    }

    private static boolean works(Runnable action) {
        try {
            action.run();
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }

    @Test
    void whatIsMissingIsNamedWithARemedyAndWhoHasIt() {
        ServerException e =
                assertThrows(
                        ServerException.class,
                        () ->
                                Dialect.LLAMA_CPP.require(
                                        Capability.PROMPT_LOG_PROBS,
                                        "decoding: constrained",
                                        "use decoding: free"));
        assertEquals(
                "decoding: constrained needs log-probabilities of prompt tokens, which a server of"
                        + " dialect llama-cpp does not give (vllm, sglang do): use decoding: free",
                e.getMessage());
    }
}
