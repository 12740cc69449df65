/** Target estimators, losses, policy optimisers and decoding policies in plain Java. */
module io.agentprm.algos {
    requires transitive io.agentprm.api;

    exports io.agentprm.algos;
    exports io.agentprm.algos.loss;
    exports io.agentprm.algos.optim;
    exports io.agentprm.algos.policy;
    exports io.agentprm.algos.reward;
    exports io.agentprm.algos.target;

    provides io.agentprm.api.plugin.TargetEstimatorProvider with
            io.agentprm.algos.target.McProvider,
            io.agentprm.algos.target.TdGaeProvider;
    provides io.agentprm.api.plugin.RewardLearnerProvider with
            io.agentprm.algos.reward.PrmProvider,
            io.agentprm.algos.reward.InversePrmProvider;
    provides io.agentprm.api.plugin.PolicyOptimizerProvider with
            io.agentprm.algos.optim.SftProvider,
            io.agentprm.algos.optim.OnlineDpoProvider;
    provides io.agentprm.api.plugin.PolicyProvider with
            io.agentprm.algos.policy.BestOfNProvider,
            io.agentprm.algos.policy.MajorityVoteProvider,
            io.agentprm.algos.policy.RandomChoiceProvider;
}
