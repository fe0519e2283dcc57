"""Words for going somewhere, and for turning, in every manner that is authored."""

from __future__ import annotations

from texedo.data.captions.grammar import number_word
from texedo.data.synth.author.spec import Spec

Phrases = list[str]

_TO = {
    "forward": ["forward", "ahead", "straight ahead", "forwards"],
    "backward": ["backward", "rearward", "backwards", "to the rear"],
    "left": ["to the left", "left", "sideways to the left", "to {poss} left"],
    "right": ["to the right", "right", "sideways to the right", "to {poss} right"],
    "forward-left": ["diagonally forward to the left", "forward and to the left"],
    "forward-right": ["diagonally forward to the right", "forward and to the right"],
    "backward-left": ["diagonally backward to the left", "backward and to the left"],
    "backward-right": ["diagonally backward to the right", "back and to the right"],
}
_AWAY = {
    "forward": "forward",
    "backward": "away rearward",
    "left": "away sideways to the left",
    "right": "away sideways to the right",
}

_MANNERS: dict[str, Phrases] = {
    "plain": [
        "~walk {to}",
        "~step {to}",
        "~move {to} at a normal pace",
        "~go {to}",
        "~take {n} steps {to}",
        "~walk {n} steps {to} and ~stop",
        "~make {n} steps {to}",
        "~start to walk {to}, then ~stand still",
        "~move {n} steps {to}",
    ],
    "slow": [
        "~walk {to} slowly",
        "~walk slowly {to}",
        "~take {n} slow steps {to}",
        "~move {to} at a slow pace",
        "~step {to} without any hurry",
        "~stroll {to} unhurriedly",
        "~go {to} slowly, {n} steps in all",
    ],
    "brisk": [
        "~walk {to} quickly",
        "~walk briskly {to}",
        "~take {n} quick steps {to}",
        "~stride {to} at a fast pace",
        "~hurry {to}",
        "~move {to} fast",
        "~step {to} briskly, {n} steps in all",
    ],
    "aggressive": [
        "~walk {to} aggressively",
        "~move {to} in an aggressive way",
        "~march {to} as if angry",
        "~stomp {to} aggressively",
        "~charge {to} with heavy, angry steps",
        "~stride {to} with aggression, leaning in",
        "~advance {to} menacingly",
    ],
    "cautious": [
        "~move cautiously {to}",
        "~step {to} with caution",
        "~take {n} cautious steps {to}",
        "~edge {to} carefully",
        "~inch {to}, hands ready",
        "~walk {to} warily",
        "~pick {poss} way {to} with careful steps",
    ],
    "sneaky": [
        "~sneak {to}",
        "~tiptoe {to} as if not to be heard",
        "~creep {to} stealthily",
        "~move {to} while sneaking",
        "~take {n} sneaky steps {to}",
        "~steal {to} quietly, crouching a little",
        "~prowl {to}, lifting {poss} feet high",
    ],
    "crouched": [
        "~move {to} in a crouch",
        "~move while crouching {to} low to the ground",
        "~walk {to} with {poss} knees bent low",
        "~crouch and ~walk {to}",
        "~take {n} crouched steps {to}",
        "~stay low and ~move {to}",
        "~duck down and ~walk {to}",
    ],
    "shamble": [
        "~shamble {to} lifelessly",
        "~shuffle {to} without energy",
        "~shamble {to}, arms hanging limp",
        "~trudge {to}, slumped over",
        "~drag {refl} {to} with tired steps",
        "~plod {to} lifelessly",
        "~shuffle {to} like someone exhausted",
    ],
    "zombie": [
        "~shamble {to} like a zombie",
        "~move {to} in a slow, zombie-like shamble",
        "~walk {to} like a zombie with {poss} arms out in front",
        "~stagger {to} like the undead, arms stretched forward",
        "~lurch {to} stiffly with outstretched arms",
        "~stumble {to} in a zombie-like shamble",
        "~shuffle {to} like a monster, both arms raised ahead",
    ],
    "scurry": [
        "~scurry {to}",
        "~scurry {away} frantically",
        "~hurry {to} with quick little steps",
        "~scuttle {to}",
        "~rush {to} in small, fast steps",
        "~scamper {to} hastily",
        "~patter {to} with {n} tiny steps",
    ],
    "panic": [
        "~scurry {away} in a panic",
        "~scurry {to} in a blind panic",
        "~flee {to} frantically with {poss} hands up",
        "~rush {to} in fear, hands near {poss} head",
        "~scramble {away} in panic",
        "~hurry {to} frantically, hands raised",
        "~run {away} in a fright with small steps",
    ],
    "cheerful": [
        "~bounce along {to} cheerfully",
        "~walk {to} cheerfully",
        "~move {to} with a happy bounce",
        "~step {to} happily, swinging {poss} arms",
        "~bob {to} in high spirits",
        "~prance {to} merrily",
        "~go {to} with a cheerful spring in {poss} step",
    ],
    "carrying": [
        "~carry an object {to}",
        "~hold an object and ~move {to}",
        "~walk {to} while carrying something in both hands",
        "~carry something in front of {refl} {to}",
        "~bring a box {to}",
        "~hold something with both hands and ~walk {to}",
        "~transport an object {to}",
    ],
    "balancing": [
        "~carry an object {to}, balancing carefully",
        "~walk {to} balancing something in {poss} hands",
        "~carry something fragile {to} with great care",
        "~balance an object in both hands while moving {to}",
        "~move {to} carefully, keeping an object level",
        "~bring a full tray {to} with slow, careful steps",
    ],
    "heavy": [
        "~carry something heavy {to}",
        "~walk {to} while carrying something heavy",
        "~lug a heavy load {to}",
        "~haul a heavy object {to}, leaning back",
        "~struggle {to} with a heavy box",
        "~move {to} under the weight of a heavy object",
        "~carry a heavy box {to} with short steps",
    ],
    "stumble": [
        "~stumble {to}",
        "~stagger {to} as if dizzy",
        "~stumble {to} with uneven steps",
        "~totter {to}, swaying from side to side",
        "~walk {to} unsteadily",
        "~reel {to} like someone drunk",
    ],
    "limp": [
        "~limp {to}, sparing {poss} {side} leg",
        "~walk {to} with a limp on the {side}",
        "~hobble {to}, going easy on the {side} leg",
        "~limp {to} as if {poss} {side} leg hurt",
        "~drag {poss} {side} leg while walking {to}",
        "~walk {to} with an injured {side} leg",
    ],
}


def walk_phrases(spec: Spec) -> Phrases:
    """Going in a direction, or round in a circle."""
    if spec.angle:
        return _circle(spec)
    ways = _TO[spec.way]
    manner = spec.manner
    if manner == "plain" and spec.tempo != 1.0:
        manner = "brisk" if spec.tempo > 1.0 else "slow"
    words = {
        "n": number_word(spec.count + _closing(spec)),
        "side": spec.side,
        "away": _AWAY.get(spec.way, ways[0]),
        "poss": "{poss}",
        "refl": "{refl}",
    }
    bank = _MANNERS[manner]
    if spec.way in ("left", "right") and manner == "plain":
        bank = [
            *bank,
            "~step aside {to}",
            "~take {n} side steps {to}",
            "~shuffle {to}, {n} steps in all",
        ]
    return [
        phrase.format(to=ways[i % len(ways)].format(**words), **words)
        for i, phrase in enumerate(bank)
    ]


def _closing(spec: Spec) -> int:
    """Whether a last step brings the feet together, as in `gait.travel`."""
    sideways = spec.way in ("left", "right")
    return 0 if sideways and spec.count % 2 == 0 else 1


def _circle(spec: Spec) -> Phrases:
    round_ = "counterclockwise" if spec.angle > 0 else "clockwise"
    side = "left" if spec.angle > 0 else "right"
    how = {"brisk": " quickly", "cheerful": " cheerfully"}.get(spec.manner, "")
    if abs(spec.angle) >= 360:
        return [
            f"~walk in a circle {round_}{how}",
            f"~walk a full circle to the {side}{how}",
            f"~go round in a circle {round_}",
            f"~walk{how} around in a {round_} circle",
            f"~complete a circle, walking {round_}{how}",
            f"~circle round to the {side} and ~end up facing the same way",
        ]
    part = "half a circle" if abs(spec.angle) == 180 else "three quarters of a circle"
    return [
        f"~walk {part} {round_}{how}",
        f"~walk along a curve to the {side}{how}",
        f"~walk{how} in an arc, turning {side}",
        f"~follow a curved path {round_}{how}",
        f"~go round {part} to the {side}",
        f"~walk forward{how} while curving to the {side}",
    ]


_AMOUNT = {
    45: ["slightly", "by 45 degrees", "an eighth of a turn"],
    60: ["by 60 degrees", "partly", "a little"],
    90: ["by 90 degrees", "a quarter turn", "ninety degrees"],
    135: ["by 135 degrees", "more than a quarter turn", "far round"],
    180: ["by 180 degrees", "half a turn", "all the way to face backward"],
    270: ["by 270 degrees", "three quarters of a turn", "most of the way round"],
    360: ["by 360 degrees", "a full turn", "once all the way round"],
}
_TURN_MANNERS: dict[str, Phrases] = {
    "plain": [
        "~turn {side} {amount}",
        "~turn to the {side}",
        "~turn on the spot to the {side}, {amount}",
        "~rotate to the {side} {amount}",
        "~step around to the {side}",
        "~pivot {side} {amount}",
        "~turn in place {amount} to {poss} {side}",
    ],
    "slow": [
        "~turn slowly to the {side}",
        "~rotate slowly {amount} to the {side}",
        "~turn {side} {amount} without hurry",
        "~make a slow turn to the {side}",
        "~step round to the {side} slowly",
    ],
    "brisk": [
        "~turn quickly to the {side}",
        "~turn {side} {amount} in quick steps",
        "~rotate fast to the {side}, {amount}",
        "~spin round to the {side} with quick steps",
        "~make a quick turn {side} {amount}",
    ],
    "sneaky": [
        "~rotate {side} while sneaking",
        "~turn stealthily to the {side}",
        "~sneak around to the {side} on the spot",
        "~creep round to the {side}, {amount}",
        "~turn {side} {amount} in a sneaking crouch",
    ],
    "cautious": [
        "~turn cautiously to the {side}",
        "~rotate {side} {amount} with careful steps",
        "~turn {side} carefully, hands ready",
        "~look round cautiously, turning {amount} to the {side}",
    ],
    "cheerful": [
        "~pivot {side} while moving cheerfully",
        "~turn {side} with happy, bouncing steps",
        "~bounce round to the {side} cheerfully, {amount}",
        "~turn cheerfully {amount} to the {side}",
        "~rotate to the {side} with a spring in {poss} step",
    ],
    "crouched": [
        "~turn {side} {amount} in a crouch",
        "~stay low and ~turn to the {side}",
        "~rotate to the {side} while crouching",
        "~turn to the {side} with bent knees, {amount}",
    ],
    "shamble": [
        "~shuffle around lifelessly to the {side}",
        "~turn {side} {amount} with slow, dragging steps",
        "~shamble round to the {side}",
        "~turn wearily to the {side}, {amount}",
    ],
}


def turn_phrases(spec: Spec) -> Phrases:
    """Turning on the spot."""
    side = "left" if spec.angle > 0 else "right"
    amounts = _AMOUNT[abs(spec.angle)]
    out = [
        phrase.format(side=side, amount=amounts[i % len(amounts)], poss="{poss}")
        for i, phrase in enumerate(_TURN_MANNERS[spec.manner])
    ]
    if abs(spec.angle) == 180 and spec.manner == "plain":
        out += [
            f"~turn around over {{poss}} {side} shoulder",
            f"~turn {side} to face the other way",
        ]
    if abs(spec.angle) == 360:
        way = "counterclockwise" if side == "left" else "clockwise"
        out += [f"~turn once around {way} on the spot", f"~turn a full circle {way}"]
    return out
