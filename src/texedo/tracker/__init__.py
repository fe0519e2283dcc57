"""The controller: what performs a motion in physics, how well, and how it is trained.

In: motions. Out: `Rollouts`, which are the oracle's verdicts, or a trained tracker.

    from texedo.tracker.policies.find import find_policy
    from texedo.tracker.oracle.rollout import rollout

Nothing is imported here: roll-outs load the simulator, training loads torch as well.
"""
