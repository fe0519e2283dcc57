"""How a body is held: arms, trunk and legs, as far as a sentence says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from texedo.core.errors import FileFormatError

_OTHER = {"left": "right", "right": "left"}


@dataclass(frozen=True, kw_only=True)
class Posture:
    """What is "" or 0 is not said; equal postures are written alike."""

    left: str = ""
    """Where the left hand is: a place of `author.routines.places`, or "hang"."""
    right: str = ""
    lean: int = 0
    """Of the trunk, forward is positive [degrees]."""
    tip: int = 0
    """To the left is positive [degrees]."""
    twist: int = 0
    """Of the chest over the feet, to the left is positive [degrees]."""
    legs: str = ""
    """A name from `LEGS`."""
    leg: str = ""
    """The leg that is lifted, in front, or on its knee: left or right."""
    way: str = ""
    """Where a lifted leg is: a name from `WAYS`."""
    seconds: int = 0
    """For how long it is held [s]."""

    @property
    def empty(self) -> bool:
        """Nothing is said of the body."""
        return replace(self, seconds=0) == Posture()

    @property
    def sided(self) -> bool:
        """Its mirror image is another one."""
        return self.mirrored() != self

    def mirrored(self) -> Posture:
        """Left for right."""
        return replace(
            self,
            left=self.right,
            right=self.left,
            tip=-self.tip,
            twist=-self.twist,
            leg=_OTHER.get(self.leg, ""),
        )

    def joined(self, other: Posture) -> Posture | None:
        """Both at once; None where they contradict each other."""
        found: dict[str, object] = {}
        for name in _NAMES:
            one, two = getattr(self, name), getattr(other, name)
            if "together" in (one, two) and name == "legs":
                # How it begins: feet do not stay together in any other stance.
                one, two = (
                    next(
                        (x for x in (one, two) if x not in ("", "together")), "together"
                    ),
                    "",
                )
            if one and two and one != two:
                return None
            found[name] = one or two
        return Posture(**found)  # type: ignore[arg-type]

    def __str__(self) -> str:
        """ "left=up right=hip legs=squat": what `read_posture` reads."""
        return " ".join(f"{name}={value}" for name, value in self._said())

    def _said(self) -> Iterator[tuple[str, object]]:
        for name in _NAMES:
            if value := getattr(self, name):
                yield name, value


LEGS = (
    "bent",  # knees a little bent
    "half",  # half a squat
    "squat",
    "wide",  # feet far apart
    "together",
    "tiptoe",
    "one",  # a leg is lifted
    "lunge",  # `leg` is in front
    "aside",  # a wide stance, the knee of `leg` bent
    "kneel",  # on the knee of `leg`
)
WAYS = ("low", "knee", "front", "side", "back")
_NAMES = tuple(field.name for field in fields(Posture))
_NUMBERS = frozenset(("lean", "tip", "twist", "seconds"))
_ALLOWED = {
    "legs": frozenset(LEGS),
    "way": frozenset(WAYS),
    "leg": frozenset(_OTHER),
}


def read_posture(text: str) -> Posture:
    """From "left=up legs=squat"; `both=up` is both hands."""
    found: dict[str, str | int] = {}
    for word in text.split():
        name, _, value = word.partition("=")
        known = name == "both" or name in _NAMES
        if not known or value not in _ALLOWED.get(name, {value}):
            raise FileFormatError(
                f"posture {text!r}: {word!r} is none of both, {', '.join(_NAMES)} with "
                "its value."
            )
        for own in ("left", "right") if name == "both" else (name,):
            found[own] = int(value) if own in _NUMBERS else value
    return Posture(**found)  # type: ignore[arg-type]
