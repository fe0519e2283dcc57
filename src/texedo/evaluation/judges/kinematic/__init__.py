"""The judge that measures: offline, the same answer every time, no learned weights.

It reads prompts with its own word lists and looks at the motion with the detectors of
`data.events` and the body curves of `evaluation.understanding`. It shares neither weights
nor rules with the verifiers, so that it can be a witness for them.
"""

from texedo.evaluation.judges.kinematic.judge import (
    KinematicJudge as KinematicJudge,
)
