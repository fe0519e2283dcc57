"""Which manner a label's style has; styles that mean the same share one."""

from __future__ import annotations

from texedo.data.captions.banks import manners
from texedo.data.captions.banks.manners import Manner

STYLES: dict[str, Manner] = {
    "happily": manners.HAPPY,
    "very happily": manners.HAPPY,
    "joyfully": manners.HAPPY,
    "elated": manners.HAPPY,
    "excitedly": manners.HAPPY,
    "happy-go-lucky": manners.HAPPY,
    "sadly": manners.SAD,
    "gloomily": manners.SAD,
    "crying": manners.SAD,
    "depressed": manners.DEPRESSED,
    "angrily": manners.ANGRY,
    "with frustration": manners.ANGRY,
    "upset": Manner(("in an upset way", "looking upset", "as if upset"), ("walk",)),
    "scared": manners.SCARED,
    "fearfully": manners.SCARED,
    "in a rush": manners.RUSHED,
    "stealthily": manners.SNEAKY,
    "sneakily": manners.SNEAKY,
    "silently": manners.SNEAKY,
    "carefully": manners.CAREFUL,
    "like a zombie": manners.ZOMBIE,
    "like a mummy": manners.MUMMY,
    "like Frankenstein's monster": manners.MONSTER,
    "drunkenly": manners.DRUNK,
    "clumsily": manners.CLUMSY,
    "stumbling": manners.STUMBLING,
    "limping": manners.LIMP,
    "with a limp": manners.LIMP,
    "with a hurt leg": manners.LIMP,
    "with a hurt right leg": manners.LIMP,
    "dragging a bad leg": manners.LIMP,
    "wounded": manners.LIMP,
    "in pain": manners.PAIN,
    "achily": manners.PAIN,
    "with a hurt stomach": Manner(
        ("as if {poss} stomach hurts", "with a hurt stomach", "in pain"),
        ("hobble", "shuffle", "walk"),
    ),
    "stiffly": manners.STIFF,
    "like a robot": manners.ROBOT,
    "robotically": manners.ROBOT,
    "jerkily": manners.JERKY,
    "like an old man": manners.OLD,
    "cool": manners.COOL,
    "coolly": manners.COOL,
    "too cool": manners.COOL,
    "with swagger": manners.COOL,
    "with attitude": manners.COOL,
    "confidently": manners.CONFIDENT,
    "macho": manners.MACHO,
    "like a strong man": manners.MACHO,
    "like a muscular, heavyset person": manners.MACHO,
    "sexily": manners.SEXY,
    "gracefully": manners.GRACEFUL,
    "like a lady": Manner(("like a lady", "in a ladylike way"), ("walk", "stroll")),
    "shyly": manners.SHY,
    "casually": manners.CASUAL,
    "relaxed": manners.CASUAL,
    "normally": manners.NORMAL,
    "regularly": manners.NORMAL,
    "neutrally": manners.NORMAL,
    "lavishly": manners.GRAND,
    "bouncily": manners.BOUNCY,
    "jauntily": manners.JAUNTY,
    "sternly": manners.STERN,
    "like a soldier": manners.SOLDIER,
    "wildly": manners.SILLY,
    "like a baby": manners.CHILD,
    "childishly": manners.CHILD,
    "like Mickey Mouse": manners.MICKEY,
    "like Michael Jackson": manners.JACKSON,
    "like a quail": manners.QUICK_STEPS,
    "like a mouse": manners.SCURRY,
    "like a squirrel": manners.SCURRY,
    "like a chipmunk": manners.SCURRY,
    "like a roadrunner": manners.SCURRY,
    "defensively": manners.DEFENSIVE,
    "evasively": manners.EVASIVE,
    "smoothly": Manner(("smoothly", "in a smooth motion", "with smooth steps")),
    "briskly": Manner(("briskly", "at a brisk pace", "with brisk steps")),
    "quickly": Manner(("quickly", "at a quick pace", "with quick steps", "rapidly")),
    "fast": Manner(("fast", "quickly", "at a fast pace", "rapidly")),
    "slowly": Manner(
        ("slowly", "at a slow pace", "with slow steps", "unhurriedly", "in slow motion")
    ),
    "with exaggerated strides": Manner(
        ("with exaggerated strides", "with big strides")
    ),
    "duck-footed": Manner(("duck-footed", "with {poss} feet turned out")),
    "pigeon-toed": Manner(("pigeon-toed", "with {poss} toes turned in")),
    "with legs wide apart": Manner(("with {poss} legs wide apart",)),
    "with crossing legs": Manner(("crossing one leg over the other",)),
    "as if in traffic": Manner(("as if walking through traffic",)),
    "randomly": Manner(("at random", "aimlessly", "without a clear aim")),
    "laughing": Manner(("while laughing", "with laughter")),
    "cold": Manner(("as if cold", "shivering")),
    "freezing": Manner(("as if freezing", "shivering with cold")),
    "surprised": Manner(("in surprise", "as if surprised")),
}
"""By the style's name; a style that starts with "like" and is not here speaks for
itself."""


def manner_of(style: str) -> Manner | None:
    """The language of a style, or None if it has none."""
    if style in STYLES:
        return STYLES[style]
    if style.startswith("like "):
        return Manner((style, style, f"{style} would"))
    return None
