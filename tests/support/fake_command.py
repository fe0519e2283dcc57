"""A command for the tests of the command line itself."""

from dataclasses import dataclass

from texedo.core.errors import MotionError


@dataclass(frozen=True)
class Cfg:
    """Do as you are told."""

    say: str = "nothing"
    """What to print."""
    loud: bool = False
    """In capitals."""
    raises: str = ""
    """The kind of failure to have."""


def run(cfg: Cfg) -> int:
    if cfg.raises == "motion":
        raise MotionError("walk.csv: frame 3 holds NaN; repair it.")
    if cfg.raises == "os":
        raise FileNotFoundError(2, "No such file or directory", "gone.npz")
    if cfg.raises == "interrupt":
        raise KeyboardInterrupt
    if cfg.raises == "pipe":
        raise BrokenPipeError
    if cfg.raises == "bug":
        raise ZeroDivisionError
    print(cfg.say.upper() if cfg.loud else cfg.say)
    return 1 if cfg.say == "no" else 0
