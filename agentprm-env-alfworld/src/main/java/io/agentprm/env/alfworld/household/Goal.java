package io.agentprm.env.alfworld.household;

import io.agentprm.env.alfworld.game.TaskType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is wanted.
 *
 * @param type kind of task
 * @param object class of the wanted object as displayed, such as {@code mug}
 * @param place class of the receptacle that it must end in, or of the lamp to look at it under
 */
public record Goal(TaskType type, String object, String place) {
    private record Sentence(TaskType type, String format, Pattern pattern) {
        static Sentence of(TaskType type, String format) {
            return new Sentence(
                    type,
                    format,
                    Pattern.compile(format.replace("%s", "([a-z]+)"), Pattern.CASE_INSENSITIVE));
        }
    }

    /** Two wordings of each task, as in the released games. */
    private static final List<Sentence> SENTENCES =
            List.of(
                    Sentence.of(TaskType.PICK_CLEAN_THEN_PLACE_IN_RECEP, "put a clean %s in %s"),
                    Sentence.of(
                            TaskType.PICK_CLEAN_THEN_PLACE_IN_RECEP,
                            "clean some %s and put it in %s"),
                    Sentence.of(TaskType.PICK_HEAT_THEN_PLACE_IN_RECEP, "put a hot %s in %s"),
                    Sentence.of(
                            TaskType.PICK_HEAT_THEN_PLACE_IN_RECEP,
                            "heat some %s and put it in %s"),
                    Sentence.of(TaskType.PICK_COOL_THEN_PLACE_IN_RECEP, "put a cool %s in %s"),
                    Sentence.of(
                            TaskType.PICK_COOL_THEN_PLACE_IN_RECEP,
                            "cool some %s and put it in %s"),
                    Sentence.of(TaskType.PICK_TWO_OBJ_AND_PLACE, "put two %s in %s"),
                    Sentence.of(TaskType.PICK_TWO_OBJ_AND_PLACE, "find two %s and put them in %s"),
                    Sentence.of(TaskType.LOOK_AT_OBJ_IN_LIGHT, "look at %s under the %s"),
                    Sentence.of(TaskType.LOOK_AT_OBJ_IN_LIGHT, "examine the %s with the %s"),
                    Sentence.of(TaskType.PICK_AND_PLACE_SIMPLE, "put a %s in %s"),
                    Sentence.of(TaskType.PICK_AND_PLACE_SIMPLE, "put some %s on %s"));

    public Goal {
        object = object.toLowerCase(Locale.ROOT);
        place = place.toLowerCase(Locale.ROOT);
    }

    /** What must be done to the object before it is put away. */
    public Optional<Treatment> treatment() {
        return Treatment.of(type);
    }

    /**
     * The task in words, without full stop.
     *
     * @param wording 0 or 1
     */
    public String sentence(int wording) {
        List<Sentence> own = SENTENCES.stream().filter(s -> s.type == type).toList();
        return String.format(Locale.ROOT, own.get(wording).format, object, place);
    }

    /**
     * Reads a task sentence; what stands before or after it is ignored.
     *
     * @return empty if the text has none of the twelve wordings, such as a goal in a person's own
     *     words
     */
    public static Optional<Goal> parse(String text) {
        for (Sentence sentence : SENTENCES) {
            Matcher matcher = sentence.pattern.matcher(text);
            if (matcher.find()) {
                return Optional.of(new Goal(sentence.type, matcher.group(1), matcher.group(2)));
            }
        }
        return Optional.empty();
    }
}
