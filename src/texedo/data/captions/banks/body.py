"""Phrases for jumps, squats, bows, legs, and standing still; slots as in `bank_travel`.

{times} is "twice" or "three times"; a phrase for one says nothing of a number.
"""

from __future__ import annotations

JUMP_UP = (
    "~jump [up|up in the air|into the air|straight up|in place|on the spot|]",
    "~leap [up|into the air|off the ground]",
    "~hop [up|in place|on the spot] [with both feet|]",
    "~spring [up|into the air|off the floor]",
    "~make a [jump|small jump|jump on the spot]",
    "~do a [jump|vertical jump]",
    "~bend {poss} knees and ~jump [up|]",
)
JUMP_HIGH = (
    "~jump high [into the air|up|]",
    "~leap high off the ground",
    "~make a high jump",
    "~spring high into the air",
)
JUMP_TO = (
    "~jump {dir}",
    "~leap {dir}",
    "~hop {dir} [with both feet|on both feet|]",
    "~make a [jump|leap|hop] {dir}",
    "~do a [jump|leap|standing jump] {dir}",
    "~bend {poss} knees and ~jump {dir}",
    "~spring {dir}",
    "~take off and ~land a jump {dir}",
)
JUMP_FAR = (
    "~make a long jump {dir}",
    "~jump far {dir}",
    "~leap a long way {dir}",
    "~do a long jump {dir}",
    "~take a big leap {dir}",
)
JUMPS_UP = (
    "~jump [up and down|in place|on the spot|up|] {times}",
    "~hop up and down {times} [on both feet|]",
    "~make {n} jumps [on the spot|in place|]",
    "~do {n} jumps in a row",
    "~bounce up and down {times}",
    "~leap up {times}",
)
JUMPS_TO = (
    "~jump {dir} {times}",
    "~make {n} jumps {dir}",
    "~hop {dir} {times} [with both feet|]",
    "~do {n} [leaps|jumps|hops] {dir}",
    "~leap {dir} {times} in a row",
)
JUMPS_UNCOUNTED = (
    "~jump [up and down|repeatedly|several times|again and again]",
    "~keep jumping [up and down|]",
    "~do [several|a few|some] jumps",
    "~bounce up and down",
)
JUMP_TURN = (
    "~jump and ~turn [to the {side}|{side}] in the air",
    "~jump up, turning {angle} to the {side}",
    "~do a jump turn [to the {side}|{rot}]",
    "~leap and ~twist to the {side} in midair",
    "~jump [with|while making] a turn to the {side}",
    "~turn {angle} to the {side} in the air",
    "~make a jump and ~turn {angle} to the {side} in midair",
    "~jump up and ~rotate {angle} {rot}",
    "~hop and ~spin {angle} [to the {side}|{rot}]",
)
JUMP_SPIN = (
    "~jump and ~spin [all the way around|in a full circle|360 degrees] to the {side}",
    "~spin in a circle in the air [to the {side}|{rot}]",
    "~jump up and ~do a full spin {rot} in the air",
    "~leap and ~whirl around {rot} in midair",
    "~make a [360 degree|full turn] jump to the {side}",
    "~spin around {rot} in the air",
)
HOP = (
    "~hop [on|upon] {poss} {side} [foot|leg] {times}",
    "~hop {times} on {poss} {side} [foot|leg]",
    "~jump {times} on {poss} {side} [foot|leg]",
    "~make {n} hops on the {side} [foot|leg]",
    "~bounce on {poss} {side} [leg|foot] {times} with the {other} foot off the ground",
)
HOP_TO = (
    "~hop {dir} on {poss} {side} [foot|leg]",
    "~hop {dir} on the {side} [foot|leg] {times}",
    "~take {n} hops {dir} on {poss} {side} [foot|leg]",
    "~bounce {dir} on {poss} {side} leg",
)
JACKS = (
    "~do [jumping jacks|some jumping jacks|a few jumping jacks]",
    "~perform [jumping jacks|a set of jumping jacks|jumping jack exercises]",
    "~jump {poss} feet apart and together while swinging {poss} arms up and down",
    "~do star jumps",
    "~exercise with jumping jacks",
)
JACKS_COUNTED = (
    "~do {n} jumping jacks",
    "~perform {n} jumping jacks",
    "~do jumping jacks {times}",
    "~complete {n} jumping jacks [in a row|]",
)

SQUAT = (
    "~squat [down|down|] and [~stand back up|~stand up again|~rise again|~come back up]",
    "~do a squat",
    "~bend {poss} knees [into a squat|to squat down] and ~straighten up",
    "~squat down",
    "~lower {poss} hips into a squat and ~rise",
    "~crouch down and ~stand up again",
    "~dip down by bending both knees and ~get back up",
)
SQUAT_DEEP = (
    "~do a [deep|full] squat",
    "~squat [all the way|deep|low] down and ~stand back up",
    "~squat low to the ground and ~rise again",
    "~sink into a deep squat and ~come back up",
    "~crouch low to the ground and ~get up again",
)
SQUATS = (
    "~squat {times}",
    "~do {n} squats",
    "~squat down and ~stand up {times}",
    "~perform {n} [squats|knee bends]",
    "~bend {poss} knees and ~straighten up {times}",
    "~complete {n} squats in a row",
)
CROUCH = (
    "~crouch [down|low|] [and ~stay low|]",
    "~stay in a [low |]crouch",
    "~hold a [squat|crouch|low position]",
    "~crouch low to the ground",
    "~remain crouched with bent knees",
    "~lower {refl} and ~stay down",
)
LUNGE = (
    "~lunge [forward|] [with|on] {poss} {side} leg",
    "~do a lunge with {poss} {side} leg [in front|forward]",
    "~step into a [deep |]lunge with the {side} foot forward",
    "~drop into a lunge on the {side} leg",
)
LUNGES = (
    "~do {n} lunges with {poss} {side} leg [in front|]",
    "~lunge onto {poss} {side} leg {times}",
)
KNEEL = (
    "~kneel [down|] on {poss} {side} knee",
    "~go down on {poss} {side} knee",
    "~drop to {poss} {side} knee",
    "~get down on one knee, the {side} one",
    "~put {poss} {side} knee on the [ground|floor]",
)
KNEEL_BOTH = (
    "~kneel [down|] on both knees",
    "~get down on {poss} knees",
    "~drop to both knees",
)
BOW = (
    "~bend forward [at the waist|] and ~straighten up [again|]",
    "~bend over and ~stand back up",
    "~lean forward [from the waist|] and ~come back up",
    "~tip {poss} upper body forward and ~rise again",
    "~bend {poss} torso forward and back up",
)
BOW_DEEP = (
    "~bend [over|down] [deeply|low|far] and ~straighten up [again|]",
    "~bend down toward the [floor|ground] and ~come back up",
    "~fold forward at the waist and ~rise again",
    "~bend all the way over and ~stand up again",
    "~bend at the waist until {poss} torso hangs down and ~straighten up",
)
BOW_NAMED = (
    "~bow",
    "~take a bow",
    "~bow [politely|deeply|forward]",
    "~bow from the waist and ~rise again",
)
"""For bends of which somebody said that they are bows."""
BOWS = (
    "~bend [forward|over] {times}",
    "~bend down and ~come back up {times}",
    "~lean forward and ~straighten up {times}",
)
BEND_KNEES = (
    "~bend down [toward the floor|to the ground|] and ~stand back up",
    "~stoop [down|low|] and ~straighten up again",
    "~crouch and ~lean forward, then ~rise",
    "~bend {poss} knees and back to get down low and ~stand up again",
    "~duck down and ~come back up",
)
BENDS_KNEES = (
    "~bend down [to the floor|low|] and ~come up {times}",
    "~stoop down {times}",
    "~bend down and ~straighten up {times}",
)
STOOP = (
    "~bend forward [at the waist|] [and ~stay bent|]",
    "~lean forward",
    "~stay bent over",
    "~keep {poss} [upper body|torso|back] bent forward",
    "~hunch over",
)
LEAN = (
    "~lean [to the {side}|to {poss} {side}|over to the {side}|{side}]",
    "~tilt {poss} [body|torso|upper body] to the {side}",
    "~bend sideways to the {side}",
    "~lean {poss} upper body {side}",
)
SWAY = (
    "~sway from side to side",
    "~lean [to the {side} and then to the {other}|{side} and then {other}]",
    "~tilt {poss} body to one side and the other",
    "~bend from side to side",
)
TWIST = (
    "~twist {poss} [torso|upper body|waist] [from side to side|left and right"
    "|back and forth]",
    "~twist from side to side [at the waist|]",
    "~turn {poss} upper body [back and forth|from side to side|one way and the other]",
    "~do side twists",
)

KICK = {
    "front": (
        "~kick [forward|] with {poss} {side} [leg|foot]",
        "~kick {poss} {side} [leg|foot] [forward|out in front|out|ahead]",
        "~throw a [{side} kick|kick with the {side} leg|front kick with the {side} leg]",
        "~do a [front kick|kick] with {poss} {side} [leg|foot]",
        "~swing {poss} {side} leg up in a kick",
    ),
    "side": (
        "~kick [out|] to the side with {poss} {side} [leg|foot]",
        "~kick {poss} {side} [leg|foot] out to the side",
        "~do a side kick with {poss} {side} [leg|foot]",
        "~swing {poss} {side} leg out sideways",
    ),
    "back": (
        "~raise {poss} {side} [leg|foot] [backward|behind {refl}]",
        "~swing {poss} {side} leg back",
        "~lift {poss} {side} leg behind {refl}",
    ),
}
KICK_HIGH = (
    "~kick high with {poss} {side} [leg|foot]",
    "~do a high kick with {poss} {side} leg",
    "~kick {poss} {side} leg high in the air",
    "~throw a high {side} kick",
)
KICKS = (
    "~kick {times} with {poss} {side} [leg|foot]",
    "~do {n} kicks with {poss} {side} [leg|foot]",
    "~kick {poss} {side} leg {times}",
    "~throw {n} {side} kicks",
    "~kick out with the {side} foot {times}",
)
KNEE = (
    "~raise {poss} {side} knee",
    "~lift {poss} {side} knee [up|high|up high|]",
    "~bring {poss} {side} knee up",
    "~pull {poss} {side} knee up [toward {poss} chest|]",
    "~lift {poss} {side} leg with the knee bent",
)
KNEES = (
    "~raise {poss} {side} knee {times}",
    "~lift {poss} {side} knee {times}",
    "~bring {poss} {side} knee up {times}",
)
KNEES_BOTH = (
    "~lift {poss} knees [high|up high|one after the other|alternately|in turn]",
    "~raise one knee and then the other",
    "~bring {poss} knees up [one at a time|alternately]",
    "~step with high knees",
)
MARCH_IN_PLACE = (
    "~march [in place|on the spot]",
    "~walk in place [with high knees|]",
    "~lift {poss} knees as if marching on the spot",
    "~step in place with {poss} knees high",
)
ONE_LEG = (
    "~stand on {poss} {side} leg",
    "~balance on {poss} {side} [leg|foot]",
    "~keep {poss} balance on the {side} [leg|foot]",
    "~stand on the {side} [leg|foot] with the {other} foot off the ground",
    "~lift {poss} {other} foot and ~balance on the {side} one",
)
STILL = (
    "~stand still",
    "~stand [in place|on the spot|motionless|without moving|quietly]",
    "~remain still",
    "~stay in place",
    "~hold still",
)
STILL_ALL = (
    "~stand still",
    "~stand [in place without moving|motionless|still the whole time|quietly in place]",
    "~remain standing still",
    "~hold [a pose|one position|still]",
    "~stay in one spot without moving",
    "barely ~move",
    "~stand and ~wait",
)
