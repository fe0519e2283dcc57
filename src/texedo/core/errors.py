"""Everything Texedo raises on purpose.

A message names the file or value, the rule it breaks, and the way out, in one line.
`ValueError` is kept for wrong arguments in a caller's own code.
"""


class TexedoError(Exception):
    """Base of all errors that are the input's fault, not a bug."""


class MotionError(TexedoError):
    """Arrays that do not make a motion: wrong shape, NaN, zero quaternion, too short."""


class FileFormatError(TexedoError):
    """A file that is missing, damaged, or not what its format says."""


class AmbiguousFormatError(FileFormatError):
    """A file whose layout nothing inside it proves."""


class UnsafeFileError(FileFormatError):
    """A pickle that wants more than plain arrays."""


class RetargetError(TexedoError):
    """A source motion that cannot be carried over to the robot."""


class RenderError(TexedoError):
    """A picture that could not be made."""


class PolicyError(TexedoError):
    """A controller whose inputs, outputs or joints do not fit the robot."""


class CheckpointError(TexedoError):
    """Weights that are missing, damaged, or of another version."""


class GenerationError(TexedoError):
    """A prompt, a sampling setting or a generator that no motion can come from."""
