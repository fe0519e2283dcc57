"""Prompts that others measured too.

`REAL_ROBOT` are the thirty prompts of the TEXEDO paper's table of deployments on a
Unitree G1 (appendix "Real-World Results", per-prompt metrics), in its order and spelling.
"""

from __future__ import annotations

REAL_ROBOT: tuple[str, ...] = (
    "the man is doing salsa dance",
    "the person took a big step over something.",
    "a person walks in a circle clockwise.",
    "A person appears happy while throwing punches and squatting forward.",
    "a person walks forward slowly.",
    "The person holds an object and moves forward.",
    "A person is carrying something heavy while moving forward.",
    "A person throws a right hook ahead.",
    "A person dances happily ahead.",
    "a person walks straight forward",
    "A person executes a left jab forward with force and then throws a left hook ahead "
    "with full force.",
    "A person moves cautiously right.",
    "The person moves while boxing and walking forward.",
    "A person jabs right forward and performs a happy dance.",
    "A person advances while boxing ahead aggressively.",
    "the person is stretching, with their arms above their head.",
    "A person carries an object sideways to the right balancing carefully.",
    "A person throws a left hook ahead with full force.",
    "spinning in a circle in the air.",
    "A person shambles left lifelessly.",
    "a man is doing jumping jacks.",
    "a person walking forward aggressively",
    "A person dances joyfully forward with enthusiasm.",
    "A person pivots right while moving cheerfully.",
    "A person rotates right while sneaking.",
    "A person moves while crouching rearward low to the ground.",
    "A person bounces along sideways to the left cheerfully and then scurries away "
    "rearward frantically.",
    "A person scurries away sideways to the left in a panic.",
    "a man raises his right hand to his head and then returns it to his side",
    "The person stumbles backward in a slow, zombie-like shamble.",
)
