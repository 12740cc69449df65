package io.agentprm.testkit;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.testkit.WrappedEnvironment.WrappedSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

class EnvironmentContractTest extends ContractProof<Environment> {
    static class Subject extends EnvironmentContract {
        @Override
        protected Environment openEnvironment() {
            return subject(Environment.class);
        }

        @Override
        protected Action invalidAction() {
            return Action.text("fly");
        }
    }

    @Override
    Class<?> contract() {
        return Subject.class;
    }

    @Override
    Environment good() {
        return new WrappedEnvironment();
    }

    /** Every session goes through a function. */
    private static Supplier<Environment> sessions(UnaryOperator<Session> wrapper) {
        return () ->
                new WrappedEnvironment() {
                    @Override
                    Session wrap(Session session) {
                        return wrapper.apply(session);
                    }
                };
    }

    /** Every result of a step goes through a function. */
    private static Supplier<Environment> results(UnaryOperator<StepResult> change) {
        return steps(session -> action -> change.apply(session.step(action)));
    }

    /** Steps are taken by a function made for each session. */
    private static Supplier<Environment> steps(
            Function<Session, Function<Action, StepResult>> stepping) {
        return sessions(session -> stepping(session, stepping));
    }

    private static Session stepping(
            Session session, Function<Session, Function<Action, StepResult>> stepping) {
        Function<Action, StepResult> step = stepping.apply(session);
        return new WrappedSession(session) {
            @Override
            public StepResult step(Action action) {
                return step.apply(action);
            }

            @Override
            public Session fork() {
                return stepping(super.fork(), stepping);
            }
        };
    }

    private static StepResult again(StepResult result, double reward, ActionFeedback feedback) {
        return result.end()
                .map(end -> StepResult.terminated(result.observation(), reward, feedback, end))
                .orElseGet(() -> StepResult.running(result.observation(), reward, feedback));
    }

    /** Every reset goes through a function of session, task and seed. */
    private interface Reset {
        EpisodeStart apply(Session session, Task task, long seed);
    }

    private static Session resetting(Session session, Reset reset) {
        return new WrappedSession(session) {
            @Override
            public EpisodeStart reset(Task task, long seed) {
                return reset.apply(inner, task, seed);
            }
        };
    }

    /** The same result with a number in its text. */
    private static StepResult numbered(StepResult result, int number) {
        Observation observation =
                Observation.text(result.observation().text() + number)
                        .withAdmissibleActions(
                                result.observation().admissibleActions().orElse(List.of()));
        return result.end()
                .map(
                        end ->
                                StepResult.terminated(
                                        observation, result.reward(), result.feedback(), end))
                .orElseGet(
                        () -> StepResult.running(observation, result.reward(), result.feedback()));
    }

    @Override
    Map<String, Supplier<Environment>> broken() {
        Map<String, Supplier<Environment>> broken = new LinkedHashMap<>();
        broken.put("theSuiteSaysWhatItIs", EnvironmentContractTest::withoutContentHash);
        broken.put("tasksAreListedInTheSameOrder", EnvironmentContractTest::shufflingTasks);
        broken.put("taskIdsAreUniqueOverAllSplits", EnvironmentContractTest::sharingTasks);
        broken.put(
                "anUnknownSplitIsAnErrorThatNamesTheSplits",
                EnvironmentContractTest::takingAnySplit);
        broken.put("whatIsListedCannotBeChanged", EnvironmentContractTest::givingItsOwnList);
        broken.put("sameTaskSeedAndActionsGiveTheSameBytes", ignoringTheSeed());
        broken.put(
                "anotherEnvironmentGivesTheSameBytesAndTheSameIdentity",
                dependingOnHowOftenItWasOpened());
        broken.put("aResetDropsTheEpisodeBefore", countingOverResets());
        broken.put("sessionsDoNotInfluenceEachOther", EnvironmentContractTest::sharingState);
        broken.put("sessionsOnManyThreadsGiveTheSameBytesAsSerially", confinedToOneThread());
        broken.put("aTaskOfAnotherSuiteIsRefused", takingAnyTask());
        broken.put("aStepWithoutAnEpisodeIsAnError", steppingBeforeAReset());
        broken.put("aStepAfterTheEndIsAnError", steppingAfterTheEnd());
        broken.put(
                "anInvalidActionIsFlagged",
                steps(
                        session ->
                                action -> {
                                    StepResult result = session.step(action);
                                    return action.text().equals("fly")
                                            ? again(
                                                    result,
                                                    result.reward(),
                                                    new ActionFeedback.Valid())
                                            : result;
                                }));
        broken.put("whatIsListedAsAdmissibleIsTaken", listingWhatItDoesNotTake());
        broken.put("oddActionsAreAnsweredAndEmptyOnesInvalid", throwingOnEmptyActions());
        broken.put("successIsReachingTheGoal", results(EnvironmentContractTest::goalAsFailure));
        broken.put("anEpisodeEndsWithinTheStepLimit", forgettingToEnd());
        broken.put("aForkSeesWhatItsOriginalWouldAndLeavesItAlone", forkingIntoItself());
        broken.put("aForkIsRefusedUnlessDeclared", EnvironmentContractTest::forkingUndeclared);
        broken.put("closingTwiceIsHarmless", closingOnce());
        broken.put("aClosedSessionIsNotStepped", leakingSessions());
        broken.put("aClosedEnvironmentOpensNoSession", EnvironmentContractTest::neverClosing);
        return broken;
    }

    private static Environment withoutContentHash() {
        return new WrappedEnvironment() {
            @Override
            public EnvironmentInfo info() {
                return EnvironmentInfo.of("toy-mdp", "1", "", 4);
            }
        };
    }

    private static Environment shufflingTasks() {
        return new WrappedEnvironment() {
            private boolean turned;

            @Override
            public List<Task> tasks(String split) {
                List<Task> tasks = new ArrayList<>(super.tasks(split));
                if (split.equals("valid")) {
                    turned = !turned;
                    if (turned) {
                        Collections.reverse(tasks);
                    }
                }
                return tasks;
            }
        };
    }

    private static Environment sharingTasks() {
        return new WrappedEnvironment() {
            @Override
            public List<Task> tasks(String split) {
                return super.tasks(split).stream()
                        .map(task -> Task.of(task.id().replaceAll(".*-", "t"), split, "c"))
                        .map(task -> task.with(ToyEnvironment.INSTRUCTION, "fetch"))
                        .toList();
            }
        };
    }

    private static Environment takingAnySplit() {
        return new WrappedEnvironment() {
            @Override
            public List<Task> tasks(String split) {
                return splits().contains(split) ? super.tasks(split) : List.of();
            }
        };
    }

    private static Environment givingItsOwnList() {
        return new WrappedEnvironment() {
            private final List<Task> train = new ArrayList<>(inner.tasks("train"));

            @Override
            public List<Task> tasks(String split) {
                return split.equals("train") ? train : super.tasks(split);
            }
        };
    }

    /** Numbers things by how often it was reset, whatever the seed. */
    private static Supplier<Environment> ignoringTheSeed() {
        return () ->
                new WrappedEnvironment() {
                    private int resets;

                    @Override
                    Session wrap(Session session) {
                        int number = resets++;
                        return new WrappedSession(session) {
                            @Override
                            public StepResult step(Action action) {
                                return numbered(super.step(action), number);
                            }
                        };
                    }
                };
    }

    private static Supplier<Environment> dependingOnHowOftenItWasOpened() {
        AtomicInteger opened = new AtomicInteger();
        return () -> {
            int number = opened.incrementAndGet();
            return new WrappedEnvironment() {
                @Override
                Session wrap(Session session) {
                    return resetting(
                            session, (inner, task, seed) -> inner.reset(task, seed + number));
                }
            };
        };
    }

    private static Supplier<Environment> countingOverResets() {
        return sessions(
                session ->
                        new WrappedSession(session) {
                            private int resets;

                            @Override
                            public EpisodeStart reset(Task task, long seed) {
                                resets++;
                                return super.reset(task, seed);
                            }

                            @Override
                            public StepResult step(Action action) {
                                return numbered(super.step(action), Math.max(0, resets - 1));
                            }

                            @Override
                            public Session fork() {
                                return new WrappedSession(super.fork()) {
                                    @Override
                                    public StepResult step(Action action) {
                                        return numbered(super.step(action), 0);
                                    }
                                };
                            }
                        });
    }

    private static Environment sharingState() {
        return new WrappedEnvironment() {
            private final Session seat = inner.open();

            @Override
            Session wrap(Session session) {
                return seat;
            }
        };
    }

    private static Supplier<Environment> confinedToOneThread() {
        return () -> {
            Thread opener = Thread.currentThread();
            return steps(
                            session ->
                                    action ->
                                            numbered(
                                                    session.step(action),
                                                    Thread.currentThread().equals(opener) ? 0 : 1))
                    .get();
        };
    }

    private static Supplier<Environment> takingAnyTask() {
        return sessions(
                session ->
                        resetting(
                                session,
                                (inner, task, seed) ->
                                        inner.reset(
                                                task.with(ToyEnvironment.INSTRUCTION, "fetch"),
                                                seed)));
    }

    private static Supplier<Environment> steppingBeforeAReset() {
        return sessions(
                session ->
                        new WrappedSession(session) {
                            private boolean used;

                            @Override
                            public EpisodeStart reset(Task task, long seed) {
                                used = true;
                                return super.reset(task, seed);
                            }

                            @Override
                            public StepResult step(Action action) {
                                return used
                                        ? super.step(action)
                                        : StepResult.running(
                                                Observation.text("hello"),
                                                0,
                                                new ActionFeedback.Valid());
                            }
                        });
    }

    private static Supplier<Environment> steppingAfterTheEnd() {
        return steps(
                session -> {
                    List<StepResult> last = new ArrayList<>();
                    return action -> {
                        if (last.isEmpty()) {
                            StepResult result = session.step(action);
                            result.end().ifPresent(end -> last.add(result));
                            return result;
                        }
                        return last.get(0);
                    };
                });
    }

    private static Supplier<Environment> listingWhatItDoesNotTake() {
        return sessions(
                session ->
                        resetting(
                                session,
                                (inner, task, seed) -> {
                                    EpisodeStart start = inner.reset(task, seed);
                                    return EpisodeStart.of(
                                            start.instruction(),
                                            start.observation()
                                                    .withAdmissibleActions(
                                                            List.of("left", "dance")));
                                }));
    }

    private static Supplier<Environment> throwingOnEmptyActions() {
        return steps(
                session ->
                        action -> {
                            if (action.text().isEmpty()) {
                                throw new IllegalArgumentException("empty action");
                            }
                            return session.step(action);
                        });
    }

    private static StepResult goalAsFailure(StepResult result) {
        return result.end()
                .map(
                        end ->
                                StepResult.terminated(
                                        result.observation(),
                                        result.reward(),
                                        result.feedback(),
                                        new EpisodeEnd.Terminated(
                                                EpisodeEnd.Reason.GOAL, end.outcome(), false)))
                .orElse(result);
    }

    /** Where the step limit would end the episode it goes on for ever. */
    private static Supplier<Environment> forgettingToEnd() {
        return steps(
                session -> {
                    List<StepResult> frozen = new ArrayList<>();
                    return action -> {
                        if (!frozen.isEmpty()) {
                            return frozen.get(0);
                        }
                        StepResult result = session.step(action);
                        Optional<EpisodeEnd.Reason> reason =
                                result.end().map(EpisodeEnd.Terminated::reason);
                        if (reason.equals(Optional.of(EpisodeEnd.Reason.STEP_LIMIT))) {
                            frozen.add(
                                    StepResult.running(
                                            Observation.text("on and on")
                                                    .withAdmissibleActions(List.of("left")),
                                            0,
                                            result.feedback()));
                            return frozen.get(0);
                        }
                        return result;
                    };
                });
    }

    private static Supplier<Environment> forkingIntoItself() {
        return sessions(
                session ->
                        new WrappedSession(session) {
                            @Override
                            public Session fork() {
                                return this;
                            }
                        });
    }

    private static Environment forkingUndeclared() {
        return new WrappedEnvironment() {
            @Override
            public Set<Capability> capabilities() {
                return Set.of(Capability.REPLAYABLE);
            }
        };
    }

    private static Supplier<Environment> closingOnce() {
        return sessions(
                session ->
                        new WrappedSession(session) {
                            private boolean closed;

                            @Override
                            public void close() {
                                if (closed) {
                                    throw new IllegalStateException("closed already");
                                }
                                closed = true;
                                super.close();
                            }
                        });
    }

    private static Supplier<Environment> leakingSessions() {
        return sessions(
                session ->
                        new WrappedSession(session) {
                            @Override
                            public void close() {}
                        });
    }

    private static Environment neverClosing() {
        return new WrappedEnvironment() {
            @Override
            public void close() {}
        };
    }
}
