"""Phrases for arms and hands; slots as in `bank_travel`.

{hand} is "left hand" or "hands"; {arm} likewise; {it} "it" or "them"; {sides}
"side" or "sides"; {level} a height.
"""

from __future__ import annotations

LEVELS = {
    "chest": "[to chest height|to {poss} chest|in front of {poss} chest|chest high]",
    "shoulder": "[to shoulder height|to shoulder level|shoulder high|up to {poss} shoulder]",
    "head": "[to head height|to the level of {poss} head|head high|up beside {poss} head]",
    "overhead": "[above {poss} head|over {poss} head|overhead|high in the air|up high]",
}
"""How high one hand is raised."""
LEVELS_BOTH = {
    "chest": "[to chest height|to {poss} chest|in front of {poss} chest|chest high]",
    "shoulder": "[to shoulder height|to shoulder level|shoulder high|up to {poss} shoulders]",
    "head": "[to head height|to the level of {poss} head|head high|up around {poss} head]",
    "overhead": "[above {poss} head|over {poss} head|overhead|high in the air|up high]",
}

RAISE = (
    "~raise {poss} {hand} {level}",
    "~lift {poss} {hand} {level}",
    "~raise {poss} {arm} {level}",
    "~lift {poss} {arm} {level}",
    "~bring {poss} {hand} [up|] {level}",
    "~put {poss} {hand} [up|] {level}",
    "~move {poss} {hand} up {level}",
)
RAISE_PLAIN = (
    "~raise {poss} {hand}",
    "~raise {poss} {arm}",
    "~lift {poss} {hand}",
    "~lift {poss} {arm} [up|]",
    "~put {poss} {hand} up",
)
LOWER = (
    "and [then|] ~lower {it} [again|]",
    "and [then|] ~bring {it} back down",
    "and ~let {it} [drop|down again]",
    "and [then|] ~return {it} to {poss} {sides}",
    "and ~put {it} back down",
)
RAISES = (
    "~raise {poss} {hand} {level} {times}",
    "~lift {poss} {arm} {level} {times}",
    "~raise and ~lower {poss} {arm} {times}",
    "~bring {poss} {hand} {level} {times}",
)
HOLD_UP = (
    "~hold {poss} {hand} [up|] {level}",
    "~keep {poss} {hand} raised {level}",
    "~hold {poss} {arm} {level}",
    "~keep {poss} {arm} up {level}",
)
OUT = {
    "side": (
        "~stretch {poss} {arm} out to the {sides}",
        "~hold {poss} {arm} out to the {sides}",
        "~extend {poss} {arm} sideways",
        "~lift {poss} {arm} out sideways",
        "~reach out to the {sides} with {poss} {hand}",
    ),
    "front": (
        "~reach forward with {poss} {hand}",
        "~stretch {poss} {arm} out in front",
        "~extend {poss} {arm} forward",
        "~hold {poss} {arm} out in front [of {refl}|]",
        "~reach out ahead with {poss} {hand}",
    ),
    "up": (
        "~reach up with {poss} {hand}",
        "~stretch {poss} {arm} [upward|straight up|up high]",
        "~extend {poss} {arm} [upward|overhead]",
        "~reach {poss} {arm} toward the ceiling",
    ),
}
STRETCH_UP = (
    "~stretch [both arms|{poss} arms] [above|over] {poss} head",
    "~stretch with {poss} arms above {poss} head",
    "~reach [up|] toward the ceiling with both [hands|arms]",
    "~stretch upward with both arms",
)
SPREAD = (
    "~spread {poss} arms [wide|out to the sides|]",
    "~hold both arms out [wide|to the sides]",
    "~stretch both arms out to the sides",
    "~open {poss} arms wide",
    "~extend {poss} arms to both sides",
)
WAVE = (
    "~wave [with|using] {poss} {hand}",
    "~wave {poss} {hand}",
    "~raise {poss} {hand} and ~wave",
    "~lift {poss} {hand} {level} and ~wave [it|] [back and forth|from side to side|]",
    "~wave [hello|to someone|at someone|] with {poss} {hand}",
    "~swing {poss} raised {hand} from side to side",
)
WAVES = (
    "~wave {poss} {hand} {times}",
    "~wave {times} with {poss} {hand}",
    "~raise {poss} {hand} and ~wave {times}",
)
WAVE_BOTH = (
    "~wave with both hands",
    "~wave both [hands|arms] [in the air|above {poss} head|]",
    "~raise both hands and ~wave",
    "~swing both raised arms [from side to side|back and forth|]",
)
SWING_PLAIN = (
    "~move {poss} {hand} back and forth {where}",
    "~swing {poss} {hand} to and fro {where}",
    "~shake {poss} {hand} {where}",
    "~move {poss} raised {hand} from side to side",
    "~wave {poss} {hand} around",
)
"""For swinging hands of which nobody said that they wave."""
HIPS_BOTH = (
    "~put {poss} hands on {poss} hips",
    "~stand with [both hands|{poss} hands] on {poss} hips",
    "~place both hands on {poss} hips",
    "~rest {poss} hands on {poss} hips",
)
HIP = (
    "~put {poss} {side} hand on {poss} hip",
    "~rest {poss} {side} hand on {poss} hip",
    "~place {poss} {side} hand on {poss} {side} hip",
)
HEAD = (
    "~raise {poss} {side} hand to {poss} head",
    "~bring {poss} {side} hand [up|] to {poss} head",
    "~touch {poss} head with {poss} {side} hand",
    "~put {poss} {side} hand to {poss} head",
    "~lift {poss} {side} hand to {poss} [face|head]",
)
HEAD_BOTH = (
    "~bring both hands [up|] to {poss} head",
    "~raise {poss} hands to {poss} head",
    "~put both hands to {poss} [head|face]",
    "~hold both hands up by {poss} [head|face]",
)
CLAP = (
    "~clap {poss} hands",
    "~clap {times}",
    "~clap {poss} hands {times}",
    "~bring {poss} hands together {times} in a clap",
    "~clap {poss} hands together",
)
HANDS_TOGETHER = (
    "~bring {poss} hands together [and apart|] {times}",
    "~move {poss} hands together and apart",
)
GESTURE = (
    "~gesture with {poss} {hand}",
    "~move {poss} {arm} [around|about|]",
    "~make [gestures|motions|movements] with {poss} {hand}",
    "~use {poss} {hand} to gesture",
    "~move {poss} {hand} around [in front of {refl}|]",
)
GESTURE_SMALL = (
    "~move {poss} {hand} [a little|slightly]",
    "~make small movements with {poss} {hand}",
    "~shift {poss} {arm} slightly",
)

JAB = (
    "~jab [forward|ahead|] with {poss} {side} [hand|fist|arm]",
    "~throw a {side} jab [ahead|forward|]",
    "~throw a straight {side} punch [ahead|forward|]",
    "~punch [forward|straight ahead|straight] with {poss} {side} [hand|fist|arm]",
    "~jab {side} [forward|ahead|]",
    "~execute a {side} jab [forward|ahead|]",
)
JABS = (
    "~throw {n} {side} jabs [ahead|forward|]",
    "~jab {times} with {poss} {side} [hand|fist]",
    "~punch [forward|straight ahead] {times} with {poss} {side} [hand|fist]",
)
HOOK = (
    "~throw a {side} hook [ahead|forward|]",
    "~swing a {side} hook [ahead|]",
    "~hook [around|] with {poss} {side} [fist|arm|hand]",
    "~punch in an arc with {poss} {side} [fist|hand]",
    "~execute a {side} hook",
)
HOOKS = (
    "~throw {n} {side} hooks [ahead|]",
    "~swing {n} hooks with {poss} {side} [fist|arm]",
)
PUNCHES_BOTH = (
    "~throw punches [with both [hands|fists]|]",
    "~punch [the air|] with both [fists|hands]",
    "~throw [a flurry of punches|a series of punches|several punches]",
    "~punch [alternately|] with the left and right [fists|hands]",
    "~throw punches [ahead|forward|straight ahead]",
)
FORCE = (
    "with force",
    "with full force",
    "forcefully",
    "hard",
    "with power",
    "powerfully",
    "aggressively",
)
THRUST = (
    "~thrust {poss} {side} [arm|hand] forward [quickly|]",
    "quickly ~extend {poss} {side} [arm|hand] forward and ~pull it back",
    "~push {poss} {side} hand out in front [fast|quickly|] and ~draw it back",
    "~shoot {poss} {side} arm forward",
)
THRUSTS = (
    "~thrust {poss} {side} [arm|hand] forward {times}",
    "quickly ~push {poss} {side} hand out in front {times}",
)
SWIPE = (
    "~swing {poss} {side} [arm|hand] [quickly|] across {poss} body",
    "~sweep {poss} {side} [arm|hand] inward [quickly|]",
    "~swing {poss} {side} arm around in front",
)
"""For fast arms of which nobody said that they box."""
