"""Which words are verbs, where the captions do not tell.

Captions know most verbs in all their forms ("wave", "waves", "waving"), and what they
know so is a verb. Here are those that people give orders with and captions lack, and
those that are as often something else.
"""

from __future__ import annotations

import re

THIRD = {
    "go": "goes",
    "do": "does",
    "have": "has",
    "be": "is",
    "undo": "undoes",
    "redo": "redoes",
}
ING = {"be": "being", "lie": "lying", "die": "dying", "tie": "tying"}
NO_VERB = frozenset(
    "slow light still even calm double low clean clear dry empty warm cool back "
    "head face "
    "hand arm leg foot hip knee side one two three four five six left right "
    "forward backward "
    "sideways up down fast quick quickly slowly round circle motion start end "
    "front shoulder "
    "elbow fist palm finger thumb toe heel chest waist paw wing".split()
)
"""Words that seldom give an order where they come first, whatever forms they have."""
_IT = (
    r"the|an?|your|their|his|her|my|our|it|them|him|me|us|both|each|every|one|two"
    r"|three|all"
    r"|this|that|some|somebody|someone|something|left|right|half"
)
"""What is done something to."""
_WHERE = (
    r"up|down|in|out|on|off|over|around|away|back|forward|backward|sideways|to|toward"
    r"|at"
    r"|with|through|along|across|from|into|like|for|under|by|behind|past|again|once"
    r"|twice"
    r"|\w+ly|slow|fast|hard|low|high|as|left|right"
)
_THING = re.compile(_IT)
_ANY = re.compile(rf"{_IT}|{_WHERE}")
AFTER = {
    word: re.compile(after)
    for word, after in {
        "back": "up|away|off|out",
        "start": rf"to|with|by|from|in|over|again|\w+ing|{_IT}",
        "face": rf"forward|backward|away|front|north|south|east|west|to|toward|{_IT}",
        "head": "left|right|to|toward|for|over|back|forward|off|out",
        "circle": rf"around|to|clockwise|counterclockwise|{_IT}",
        "round": "off",
        "slow": "down|up",
        "calm": "down",
        "cool": "down|off",
        "warm": "up",
        "end": "in|with|up|by|on|at|facing|standing",
        "hand": "over|me|him|her|them",
        "even": "out",
        "dry": "your|their|off",
        "clean": rf"up|off|{_IT}",
        "clear": "the|your|their",
        "empty": "the|your|their",
        "double": "over|up",
        "elbow": "the|him|her|someone|somebody",
        "knee": "the|him|her|someone|somebody",
        "shoulder": "the|your|their",
        "wake": "up",
        "motion": "to|for|at|him|her|them|someone|somebody",
    }.items()
}
"""What makes an order of some of them after all: "back up", "head over to the door"."""
AFTER |= dict.fromkeys(
    "become activate align bat center centre clasp conduct dial bowl clutch "
    "comb cup crack engage escort exercise fan guard "
    "join lace link lock photograph pluck present ring shade sign stall tackle "
    "tense text thump "
    "tie track tug".split(),
    _THING,
)
AFTER["steady"] = re.compile("your|yourself|the|it|his|her")
AFTER |= dict.fromkeys(
    "bark blow bridge brush crab crane curl dash dust fake fence fish fly hail hammer "
    "pace plow race ram rear roar row sled splash spike stick strum".split(),
    _ANY,
)
AFTER |= dict.fromkeys(
    "salsa samba tango jive foxtrot".split(),
    re.compile("with|around|across|forward|alone|together|for|like|to|and|on"),
)
VERBS = frozenset(
    "abduct accelerate act adduct alternate applaud arch arise babble backflip "
    "bang bash bicycle blink blow boast bob boogie brace brag brake breakdance "
    "breathe bump burst canter cartwheel cease challenge chant chase cheer chew "
    "chill chuckle clamber clench climb cluck clutch collapse commence cough "
    "cower crawl creep cringe crumble crumple cry curtsey curtsy dab dangle "
    "deadlift decelerate decompress defend deflect depress descend disengage "
    "dismiss dismount dodge dorsiflex doze eavesdrop elevate embrace enter escape "
    "evade evaporate exhale exit explode faint feint fidget flail flex flinch "
    "flip flirt float fly freeze frolic frontflip fumble gallop gasp gaze "
    "genuflect gesticulate giggle glare gloat grimace grin grip groove grovel "
    "growl gyrate halt hasten headbang headbutt hesitate hide hike hiss hoist "
    "hoot howl huddle hug hum hunker hurdle hurl hyperventilate idle imagine "
    "imitate impersonate inhale inspect interlace invite juggle kiss knock "
    "kowtow krump laugh lean levitate lie linger lob meander meditate melt meow "
    "mime mimic moan moo moonwalk mosh mount nap neigh nod orbit oscillate paddle "
    "panic parry patrol pedal peek pinch pirouette plod plop pounce pout pray "
    "preen pretend primp proceed prod pronate protract pulse quack quake quit "
    "quiver rattle realign rearm rebound recalibrate recline recoil redo reenact "
    "rehab rehearse relax release reload reorient replay reposition restart "
    "resume retract retreat rewind ride salute sashay saunter say scowl "
    "scream scuttle serve shadowbox shimmy shout shove shrink shudder shuffle "
    "sidle sigh sing sit skate skedaddle ski skitter skulk slam slap slash sleep "
    "slink slip slither slump smack smash smile snarl sneeze sniff snore snort "
    "snowboard soar sob somersault spar spit sprawl squash squeeze squint squirm "
    "stab stabilize stagger stamp steer stutter sulk supinate surf surrender "
    "swallow swap swat swerve swim switch swoon swoosh taunt teleport "
    "thrash tickle tiptoe toss totter traipse tramp trample transform tread "
    "tremble tuck tumble twerk twitch unclench uncross uncurl undo undulate "
    "unfold unlock unroll untuck untwist unwind uppercut vault vibrate vogue wade "
    "wail wallop waltz weep whack whisper whistle wiggle wilt wince wink wither "
    "wobble worship wrestle wriggle wring yank yell zigzag zoom".split()
)
"""Verbs that captions do not have in all their forms."""
UNLESS = {
    **dict.fromkeys("pivot jump hop kick paddle".split(), re.compile("turns?")),
    "close": re.compile("to|by|together|behind|enough|in"),
    "guard": re.compile("up|down|high|low|hand"),
}
"""What makes no order of some verbs: "jump, close to the ground"."""
BEFORE_NOUNS = frozenset(
    "breakdance reverse parade loop pump balance bow box chin crawl idle cross "
    "dance duck fight hop jog jump kick lunge march press pull "
    "punch push roll run shuffle sit skip slide spin squat step stomp stretch "
    "swim swing "
    "tap turn twist walk wave zigzag salsa samba tango waltz foxtrot jive".split()
)
NOUNS = re.compile(
    r"(?:walk|march|crawl|dance|ball|fake|hold|move|combo|combination|pose|stance"
    r"|routine|sequence|motion|animation"
    r"|cycle|party|style|stroke|session|exercise|gesture|drill|width|length|size"
    r"|height|pattern|phase|tempo|speed|rhythm|touch)s?|jumps|kicks|squats|punches"
    r"|lunges"
    r"|steps?|strides|turns|spins|hops|ups|downs|jacks"
)
"""What makes no order of those verbs before it: "dance moves", "step width"."""


def verb_forms() -> frozenset[str]:
    """The verbs of this module as orders and as they are told: "swap", "swaps"."""
    return VERBS | {third(word) for word in VERBS}


def third(word: str) -> str:
    """What somebody does: "walks"."""
    if word in THIRD:
        return THIRD[word]
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"
