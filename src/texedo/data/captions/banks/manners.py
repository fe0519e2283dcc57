"""How it is done: manners, each with the words that it justifies.

A manner has adverbs and phrases that follow the verb and, for some, verbs that replace
"walk". `bank_styles` says which style is which manner.
"""

from __future__ import annotations

from typing import NamedTuple


class Manner(NamedTuple):
    """The language of a style."""

    manners: tuple[str, ...]
    verbs: tuple[str, ...] = ()
    """Verbs of going; a direction follows."""
    looks: tuple[str, ...] = ()
    """What the subject looks like: "~appear happy", "is in pain"."""


HAPPY = Manner(
    (
        "happily",
        "happily",
        "cheerfully",
        "cheerfully",
        "cheerfully",
        "joyfully",
        "joyfully",
        "with enthusiasm",
        "in a happy mood",
        "in good spirits",
        "with enthusiasm",
        "with a happy bounce",
        "in a cheerful way",
        "full of joy",
        "with cheerful energy",
    ),
    ("bounce along", "stroll", "stride", "bounce", "prance"),
    ("~appear happy", "~look happy", "~seem cheerful", "~appear joyful"),
)
SAD = Manner(
    (
        "sadly",
        "gloomily",
        "in a sad mood",
        "dejectedly",
        "with a heavy heart",
        "looking down and sad",
        "glumly",
    ),
    ("trudge", "plod", "mope", "drag along", "shuffle"),
    ("~appear sad", "~look gloomy", "~seem down"),
)
DEPRESSED = Manner(
    (
        "in a depressed way",
        "listlessly",
        "without energy",
        "lifelessly",
        "with slumped shoulders",
        "wearily",
        "as if depressed",
    ),
    ("trudge", "plod", "shuffle", "drag along", "shamble"),
    ("~appear depressed", "~look worn out", "~seem lifeless"),
)
ANGRY = Manner(
    (
        "angrily",
        "aggressively",
        "aggressively",
        "aggressively",
        "in anger",
        "furiously",
        "with frustration",
        "in an aggressive way",
        "in a temper",
    ),
    ("stomp", "storm", "stride", "march", "tramp"),
    ("~appear angry", "~look furious", "~seem frustrated"),
)
SCARED = Manner(
    (
        "fearfully",
        "as if scared",
        "nervously",
        "in fear",
        "timidly",
        "as though frightened",
        "anxiously",
    ),
    ("creep", "edge", "sneak", "move"),
    ("~appear scared", "~look frightened", "~seem afraid"),
)
SCARED_FAST = Manner(
    (
        "in a panic",
        "frantically",
        "in panic",
        "as if fleeing in a panic",
        "frantically, as if scared",
    ),
    ("scurry", "scurry away", "hurry away", "rush", "flee"),
    ("~appear panicked", "~look scared"),
)
"""For those who are scared and quick: creeping does not fit them."""
RUSHED = Manner(
    (
        "in a rush",
        "hurriedly",
        "in a hurry",
        "hastily",
        "frantically",
        "frantically",
        "frantically",
        "as if late",
        "with rushed steps",
    ),
    ("hurry", "rush", "scurry", "scurry", "scurry along"),
    ("~appear to be in a hurry", "~seem rushed"),
)
SNEAKY = Manner(
    (
        "stealthily",
        "sneakily",
        "quietly",
        "on the sly",
        "silently",
        "trying not to be noticed",
        "like a thief",
        "as if sneaking up on someone",
    ),
    ("sneak", "creep", "sneak", "tiptoe", "steal", "prowl", "slink"),
)
CAREFUL = Manner(
    (
        "carefully",
        "cautiously",
        "cautiously",
        "cautiously",
        "with caution",
        "with care",
        "warily",
        "with careful steps",
        "in a cautious manner",
        "gingerly",
    ),
    ("creep", "step", "move", "edge"),
    ("~appear cautious", "~seem wary"),
)
ZOMBIE = Manner(
    (
        "like a zombie",
        "lifelessly",
        "lifelessly",
        "in a zombie-like way",
        "in a zombie-like shamble",
        "with a slow, zombie-like gait",
        "in a slow, zombie-like shamble",
        "like the living dead",
        "with stiff, lifeless steps",
    ),
    ("shamble", "shamble", "stagger", "shuffle", "lurch", "lumber", "stumble"),
    ("~act like a zombie", "~look like a zombie", "~appear lifeless"),
)
MUMMY = Manner(
    (
        "like a mummy",
        "stiffly like a mummy",
        "as if wrapped in bandages",
        "lifelessly, like a mummy",
        "in the stiff way of a mummy",
    ),
    ("shamble", "lumber", "shuffle", "lurch", "plod"),
    ("~act like a mummy", "~pretend to be a mummy"),
)
MONSTER = Manner(
    (
        "like Frankenstein's monster",
        "with heavy, stiff steps like Frankenstein's monster",
        "like a lumbering monster",
    ),
    ("lumber", "plod", "stomp", "shamble"),
)
DRUNK = Manner(
    (
        "drunkenly",
        "as if drunk",
        "unsteadily",
        "swaying like a drunk",
        "in a drunken way",
        "as though intoxicated",
    ),
    ("stagger", "stumble", "sway", "totter", "reel", "weave"),
    ("~appear drunk", "~seem tipsy"),
)
CLUMSY = Manner(
    ("clumsily", "awkwardly", "in a clumsy way", "ungracefully", "with clumsy steps"),
    ("stumble", "bumble", "lumber", "walk"),
)
STUMBLING = Manner(
    ("with stumbling steps", "tripping now and then", "losing balance", "unsteadily"),
    ("stumble", "stumble", "stagger", "trip"),
)
LIMP = Manner(
    (
        "with a limp",
        "as if one leg hurts",
        "with an uneven gait",
        "favoring one leg",
        "painfully",
        "as though injured",
    ),
    ("limp", "hobble", "limp", "limp along"),
    ("~appear injured", "~seem to be in pain"),
)
PAIN = Manner(
    (
        "in pain",
        "painfully",
        "as if hurting",
        "achily",
        "stiff with aches",
        "as though sore",
    ),
    ("hobble", "shuffle", "walk", "drag along"),
    ("~appear to be in pain", "~seem to hurt"),
)
STIFF = Manner(
    ("stiffly", "rigidly", "with stiff limbs", "in a stiff manner", "woodenly"),
    ("walk", "stalk", "plod"),
)
ROBOT = Manner(
    ("like a robot", "robotically", "mechanically", "with jerky robot movements"),
    ("walk", "step", "plod"),
)
JERKY = Manner(
    ("jerkily", "with jerky movements", "spasmodically", "in fits and starts"),
    ("jerk along", "twitch along", "lurch"),
)
OLD = Manner(
    (
        "like an old man",
        "like an elderly person",
        "with the slow gait of old age",
        "feebly",
        "hunched like an old person",
    ),
    ("shuffle", "totter", "hobble", "plod"),
    ("~act like an old man", "~move like an elderly person"),
)
COOL = Manner(
    ("coolly", "in a cool way", "with swagger", "looking cool", "with attitude"),
    ("swagger", "strut", "saunter", "stroll"),
    ("~act cool", "~look cool and confident"),
)
CONFIDENT = Manner(
    ("confidently", "boldly", "with confidence", "self-assuredly", "with purpose"),
    ("stride", "strut", "walk"),
    ("~appear confident",),
)
MACHO = Manner(
    (
        "like a tough guy",
        "in a macho way",
        "like a strong man",
        "with puffed up shoulders",
        "powerfully",
    ),
    ("swagger", "strut", "stride", "stomp"),
)
SEXY = Manner(
    ("sexily", "seductively", "with swaying hips", "in a sultry way"),
    ("strut", "saunter", "sashay"),
)
GRACEFUL = Manner(
    ("gracefully", "elegantly", "in a graceful way", "in a refined manner"),
    ("glide", "walk", "step"),
)
SHY = Manner(
    ("shyly", "timidly", "bashfully", "in a shy way", "meekly"),
    ("walk", "shuffle", "tiptoe", "edge"),
    ("~appear shy",),
)
CASUAL = Manner(
    ("casually", "in a relaxed way", "at ease", "leisurely", "in a laid-back manner"),
    ("stroll", "saunter", "amble", "wander"),
    ("~appear relaxed",),
)
NORMAL = Manner(
    ("normally", "in a normal way", "naturally", "at a regular pace", "as usual"),
    ("walk", "stroll"),
)
GRAND = Manner(
    ("lavishly", "in a grand manner", "grandly", "with big, showy movements"),
    ("parade", "strut", "stride"),
)
BOUNCY = Manner(
    (
        "bouncily",
        "with a bounce",
        "with a bounce in every step",
        "with springy steps",
        "cheerfully",
        "in a bouncy way",
    ),
    ("bounce along", "bounce", "bob along", "spring"),
)
JAUNTY = Manner(
    ("jauntily", "cheerfully", "cheerfully", "in a jaunty way", "with a happy spring"),
    ("stroll", "saunter", "strut", "bounce along"),
)
STERN = Manner(
    ("sternly", "in a stern manner", "seriously", "with a strict bearing"),
    ("stride", "walk", "march"),
)
SOLDIER = Manner(
    ("like a soldier", "in a military manner", "in step like a soldier", "stiffly"),
    ("march", "march", "parade"),
)
SILLY = Manner(
    ("wildly", "in a wild way", "with wild movements", "crazily"),
    ("flail along", "walk", "prance"),
)
CHILD = Manner(
    ("like a toddler", "like a baby", "with a child's unsteady steps", "like a child"),
    ("toddle", "totter", "waddle", "walk"),
    ("~act like a baby",),
)
MICKEY = Manner(
    ("like Mickey Mouse", "like a cartoon mouse", "in a cartoonish way", "cheerfully"),
    ("stroll", "strut", "bounce along"),
)
JACKSON = Manner(
    ("like Michael Jackson", "like a pop star", "with a pop star's flair", "smoothly"),
    ("glide", "strut", "step"),
)
QUICK_STEPS = Manner(
    ("with quick little steps", "like a quail", "with tiny, rapid steps"),
    ("scurry", "scurry", "scamper", "scuttle", "patter"),
)
SCURRY = Manner(
    ("with quick little steps", "in quick bursts", "frantically", "frantically"),
    ("scurry", "scurry", "scamper", "scuttle", "dart"),
)
DEFENSIVE = Manner(
    ("defensively", "in a defensive stance", "on guard", "in a guarded way"),
    ("shuffle", "slide", "move"),
)
EVASIVE = Manner(
    ("evasively", "as if dodging someone", "trying to get past someone"),
    ("dodge", "weave", "walk"),
)
