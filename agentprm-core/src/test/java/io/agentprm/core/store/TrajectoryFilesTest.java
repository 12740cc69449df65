package io.agentprm.core.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Part;
import io.agentprm.api.env.Task;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Candidate;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.SampledTokens;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.core.run.Kill;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrajectoryFilesTest {
    private static final TrajectoryFiles<Trajectory> FILES = TrajectoryFiles.trajectories();

    @TempDir Path directory;

    /** Everything that a trajectory can hold. */
    static Trajectory rich(int episode, EpisodeEnd end) {
        Decision sampled =
                Decision.builder(Action.text("go to desk 1"))
                        .text("REASON:\nä \"quoted\" \u2028\nACTION:\ngo to desk 1")
                        .reason("ä \"quoted\" \u2028")
                        .tokens(
                                SampledTokens.of(
                                        new int[] {5, 0, 7}, new double[] {-0.1, -1e-17, 0}, 0.7))
                        .candidates(
                                List.of(
                                        new Candidate("go to desk 1", 3, OptionalDouble.of(1.25)),
                                        new Candidate("look", 1, OptionalDouble.empty())))
                        .build();
        Decision call =
                Decision.builder(new Action.ToolCall("search", Map.of("query", "mug", "page", "2")))
                        .deliberate(false)
                        .build();
        Decision unparsed =
                Decision.builder(Action.text("")).text("hm").parseFailure("no action").build();
        return Trajectory.builder(
                        Task.of("train/a", "train", "pick").with("file", "a.json"), "find a mug")
                .episode(episode)
                .seed(Long.MIN_VALUE + episode)
                .policyId("pi-1")
                .add(
                        Turn.of(
                                Observation.of(List.of(new Part.Text("a"), new Part.Text("b")))
                                        .withAdmissibleActions(List.of("look", "go to desk 1")),
                                sampled,
                                new ActionFeedback.Valid(),
                                0))
                .add(
                        Turn.of(
                                Observation.text("").withAdmissibleActions(List.of()),
                                call,
                                new ActionFeedback.Normalised("case", "search[mug]"),
                                0.1))
                .add(
                        Turn.of(
                                Observation.text("Nothing happens."),
                                unparsed,
                                new ActionFeedback.Invalid("empty"),
                                -0.0))
                .end(Observation.text("end"), end);
    }

    private static List<Trajectory> some() {
        return List.of(
                rich(0, new EpisodeEnd.Terminated(EpisodeEnd.Reason.GOAL, 1, true)),
                rich(1, new EpisodeEnd.Terminated(EpisodeEnd.Reason.STEP_LIMIT, 0.25, false)),
                rich(2, new EpisodeEnd.Truncated("budget")),
                rich(3, new EpisodeEnd.Aborted("hung")));
    }

    private String lines(Path file) throws Exception {
        try (GZIPInputStream in =
                new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Path plain(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void whatIsAppendedComesAfterWhatIsThereCompressedOrNot() throws Exception {
        Path zipped = directory.resolve("a.jsonl.gz");
        some().forEach(one -> FILES.append(zipped, List.of(one)));
        Path whole = directory.resolve("b.jsonl.gz");
        FILES.write(whole, some());
        assertEquals(lines(whole), lines(zipped));
        assertEquals(4, FILES.read(zipped).size());
        Path plain = plain("c.jsonl", lines(whole));
        FILES.append(plain, some());
        assertEquals(8, FILES.read(plain).size());
    }

    @Test
    void appendingThatIsKilledLeavesTheFileAsItWasOrWhole() {
        Path file = directory.resolve("a.jsonl.gz");
        FILES.append(file, some());
        boolean killed = true;
        for (int boundary = 0; killed; boundary++) {
            int before = FILES.read(file).size();
            try {
                FILES.append(file, some(), Kill.at(boundary));
                killed = false;
            } catch (Kill.Killed e) {
                int after = FILES.read(file).size();
                assertTrue(after == before || after == before + 4, boundary + ": " + after);
            }
        }
        FILES.append(file, some());
        assertTrue(FILES.read(file).size() >= 12);
    }

    @Test
    void nothingIsAppendedToAFileOfAnotherKind() throws Exception {
        Path labelled = directory.resolve("labelled.jsonl.gz");
        TrajectoryFiles.labelled().write(labelled, List.of());
        byte[] before = Files.readAllBytes(labelled);
        assertThrows(StoreException.class, () -> FILES.append(labelled, some()));
        assertArrayEquals(before, Files.readAllBytes(labelled));
        Path notes = plain("notes.txt", "remember the milk\n");
        assertThrows(StoreException.class, () -> FILES.append(notes, some()));
        assertEquals("remember the milk\n", Files.readString(notes));
    }

    @Test
    void everythingOfATrajectorySurvivesTheRoundTrip() throws Exception {
        Path file = directory.resolve("a.jsonl.gz");
        FILES.write(file, some());
        List<Trajectory> read = FILES.read(file);
        Path again = directory.resolve("b.jsonl.gz");
        FILES.write(again, read);
        assertEquals(lines(file), lines(again));
        Trajectory first = read.get(0);
        Trajectory expected = some().get(0);
        assertEquals(expected.task(), first.task());
        assertEquals(expected.task().category(), first.task().category());
        assertEquals(expected.task().attributes(), first.task().attributes());
        assertEquals(expected.seed(), first.seed());
        assertEquals(expected.instruction(), first.instruction());
        assertEquals(expected.policyId(), first.policyId());
        assertEquals(expected.finalObservation(), first.finalObservation());
        for (int i = 0; i < 4; i++) {
            assertEquals(some().get(i).end(), read.get(i).end());
            assertEquals(some().get(i).id(), read.get(i).id());
        }
        for (int t = 0; t < 3; t++) {
            Turn turn = expected.turns().get(t);
            Turn back = first.turns().get(t);
            assertEquals(turn.observation(), back.observation());
            assertEquals(turn.feedback(), back.feedback());
            assertEquals(turn.reward(), back.reward());
            assertEquals(turn.decision().action(), back.decision().action());
            assertEquals(turn.decision().text(), back.decision().text());
            assertEquals(turn.decision().reason(), back.decision().reason());
            assertEquals(turn.decision().parseFailure(), back.decision().parseFailure());
            assertEquals(turn.decision().deliberate(), back.decision().deliberate());
            assertEquals(turn.decision().candidates(), back.decision().candidates());
            assertEquals(
                    turn.decision().tokens().isPresent(), back.decision().tokens().isPresent());
        }
        SampledTokens tokens = first.turns().get(0).decision().tokens().orElseThrow();
        assertArrayEquals(new int[] {5, 0, 7}, tokens.ids());
        assertArrayEquals(new double[] {-0.1, -1e-17, 0}, tokens.logProbs());
        assertEquals(0.7, tokens.temperature());
    }

    @Test
    void admissibleActionsOfAllTrajectoriesAreHeldOnce() {
        Path file = directory.resolve("a.jsonl.gz");
        FILES.write(file, some());
        List<String> held =
                FILES.read(file).stream()
                        .map(t -> t.turns().get(0).observation().admissibleActions().orElseThrow())
                        .map(actions -> actions.get(1))
                        .toList();
        assertEquals("go to desk 1", held.get(0));
        held.forEach(action -> assertSame(held.get(0), action));
    }

    @Test
    void labelsSurviveTheRoundTripAndMayBeAbsent() {
        Path file = directory.resolve("a.jsonl.gz");
        List<Optional<TurnLabel>> labels =
                List.of(
                        Optional.of(new TurnLabel(0.9073, 3)),
                        Optional.empty(),
                        Optional.of(new TurnLabel(1, 1)));
        TrajectoryFiles.labelled()
                .write(file, List.of(LabelledTrajectory.of(some().get(0), labels)));
        LabelledTrajectory read = TrajectoryFiles.labelled().read(file).get(0);
        assertEquals(labels, read.labels());
        assertEquals("pi-1", read.trajectory().policyId());
        StoreException e = assertThrows(StoreException.class, () -> FILES.read(file));
        assertTrue(e.getMessage().contains("agentprm.labelled-trajectories"), e.getMessage());
    }

    @Test
    void theSameItemsGiveTheSameBytes() throws Exception {
        Path one = directory.resolve("one.jsonl.gz");
        Path two = directory.resolve("two.jsonl.gz");
        FILES.write(one, some());
        Thread.sleep(1100);
        FILES.write(two, some());
        assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(two));
    }

    @Test
    void aTruncatedFileFailsWithItsPlaceOrIsSkippedAndCounted() throws Exception {
        Path sound = directory.resolve("1.jsonl.gz");
        Path cut = directory.resolve("2.jsonl.gz");
        Path third = directory.resolve("3.jsonl.gz");
        FILES.write(sound, some());
        FILES.write(third, some());
        byte[] bytes = Files.readAllBytes(sound);
        Files.write(cut, Arrays.copyOf(bytes, bytes.length * 2 / 3));
        StoreException e = assertThrows(StoreException.class, () -> FILES.read(cut));
        assertTrue(e.getMessage().startsWith(cut + ":"), e.getMessage());
        ReadResult<Trajectory> result = FILES.read(List.of(sound, cut, third), OnCorrupt.SKIP);
        assertTrue(result.items().size() >= 8 && result.items().size() < 12);
        assertEquals(1, result.skipped().size());
        assertTrue(result.skipped().get(0).startsWith(cut + ":"), result.skipped().toString());
    }

    @Test
    void aCorruptLineNamesFileLineAndCause() throws Exception {
        Path file = directory.resolve("a.jsonl.gz");
        FILES.write(file, some());
        String[] lines = lines(file).split("\n");
        lines[2] = lines[2].substring(0, lines[2].length() / 2);
        Path broken = plain("broken.jsonl", String.join("\n", lines) + "\n");
        StoreException e = assertThrows(StoreException.class, () -> FILES.read(broken));
        assertTrue(e.getMessage().startsWith(broken + ":3: is corrupt: "), e.getMessage());
        ReadResult<Trajectory> result = FILES.read(List.of(broken), OnCorrupt.SKIP);
        assertEquals(3, result.items().size());
        assertEquals(List.of(e.getMessage()), result.skipped());
        Path cut = plain("cut.jsonl", String.join("\n", lines[0], lines[1]));
        assertTrue(
                assertThrows(StoreException.class, () -> FILES.read(cut))
                        .getMessage()
                        .contains(":2: is corrupt: the file ends in the middle"));
        Path wrong =
                plain("wrong.jsonl", lines(file).replace("\"reward\":0.1", "\"reward\":\"x\""));
        assertTrue(
                assertThrows(StoreException.class, () -> FILES.read(wrong))
                        .getMessage()
                        .contains(":2: is corrupt: turns[1].reward: a finite number is expected"));
    }

    @Test
    void aFileWithoutHeaderOrOfANewerMajorVersionIsRefused() throws Exception {
        for (String text :
                List.of(
                        "",
                        "{}\n",
                        "{\"schema\":\"agentprm.trajectories\",\"version\":\"2.0\"}\n",
                        "not json\n")) {
            Path file = plain("a.jsonl", text);
            StoreException e = assertThrows(StoreException.class, () -> FILES.read(file));
            assertTrue(e.getMessage().startsWith(file + ":1: "), e.getMessage());
        }
        Path later =
                plain(
                        "later.jsonl",
                        "{\"schema\":\"agentprm.trajectories\",\"version\":\"1.9\",\"new\":1}\n");
        assertEquals(List.of(), FILES.read(later));
    }

    @Test
    void notANumberIsNeverWrittenAndNeverRead() throws Exception {
        Path file = directory.resolve("a.jsonl.gz");
        Trajectory bad =
                Trajectory.builder(Task.of("a", "train", "c"), "")
                        .add(
                                Turn.of(
                                        Observation.text(""),
                                        Decision.of("x"),
                                        new ActionFeedback.Valid(),
                                        Double.NaN))
                        .end(Observation.text(""), new EpisodeEnd.Truncated(""));
        StoreException e =
                assertThrows(StoreException.class, () -> FILES.write(file, List.of(bad)));
        assertTrue(e.getMessage().contains("reward is NaN"), e.getMessage());
        assertFalse(Files.exists(file));
        FILES.write(file, some());
        for (String token : List.of("NaN", "\"NaN\"", "1e999")) {
            Path edited =
                    plain(
                            "edited.jsonl",
                            lines(file).replace("\"reward\":0.1", "\"reward\":" + token));
            assertThrows(StoreException.class, () -> FILES.read(edited), token);
        }
    }

    @Test
    void unknownFieldsAreToleratedButClassNamesAreRefused() throws Exception {
        Path file = directory.resolve("a.jsonl.gz");
        FILES.write(file, some());
        Path more =
                plain(
                        "more.jsonl",
                        lines(file).replace("\"reward\":0.1", "\"foo\":{},\"reward\":0.1"));
        assertEquals(4, FILES.read(more).size());
        for (String evil :
                List.of(
                        "\"@class\":\"javax.naming.InitialContext\",\"reward\":0.1",
                        "\"action\":{\"type\":\"javax.naming.InitialContext\"},\"reward\":0.1")) {
            String line =
                    lines(file)
                            .replaceAll("\"action\":\\{\"type\":\"tool-call\".*?\\}\\},", "")
                            .replace("\"reward\":0.1", evil);
            Path edited = plain("evil.jsonl", line);
            String message =
                    assertThrows(StoreException.class, () -> FILES.read(edited)).getMessage();
            assertTrue(message.contains("refused") || message.contains("unknown type"), message);
        }
    }

    @Test
    void aLongObservationIsReadBackAndTheWriterEnforcesTheReadersLimit() {
        Path file = directory.resolve("long.jsonl.gz");
        Trajectory big =
                Trajectory.builder(Task.of("a", "train", "c"), "")
                        .end(
                                Observation.text("x".repeat(25_000_000)),
                                new EpisodeEnd.Truncated(""));
        FILES.write(file, List.of(big));
        assertEquals(25_000_000, FILES.read(file).get(0).finalObservation().text().length());
        TrajectoryFiles<Trajectory> strict = FILES.withMaxLineBytes(1_000_000);
        StoreException e =
                assertThrows(
                        StoreException.class,
                        () -> strict.write(directory.resolve("b.jsonl.gz"), List.of(big)));
        assertTrue(e.getMessage().contains("limit of 1000000"), e.getMessage());
        assertThrows(StoreException.class, () -> strict.read(file));
    }
}
