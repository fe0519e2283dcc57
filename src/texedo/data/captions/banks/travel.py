"""Phrases for going somewhere and for turning.

Templates: "~" marks a verb, "[a|b]" an alternative, braces a slot. Slots: {side} left or
right, {poss} the owner, {rot} clockwise or counterclockwise, {dir} a direction from
`DIRECTIONS`, {n} a number, {angle} an angle.
"""

from __future__ import annotations

FORWARD = "[forward|forward|forward|forward|forward|forwards|ahead|ahead]"
STRAIGHT = (
    "[straight ahead|straight forward|straight forward|forward in a straight line"
    "|in a straight line|directly ahead|straight on]"
)
BACKWARD = "[backward|backward|backwards|backwards|rearward|rearward|in reverse]"
SIDEWAYS = (
    "[to the {side}|to the {side}|sideways to the {side}|to {poss} {side}"
    "|toward the {side}|over to the {side}|to the {side} side|{side}ward]"
)
DIAGONAL = {
    "forward": "[diagonally forward to the {side}|forward and to the {side}"
    "|diagonally to the front {side}|at an angle forward and to the {side}"
    "|diagonally ahead toward {poss} {side}]",
    "backward": "[diagonally backward to the {side}|backward and to the {side}"
    "|diagonally to the rear {side}|back at an angle to the {side}]",
}

WALK_FORWARD = {
    "slow": (
        "[slowly ~walk|~walk slowly|~stroll|~amble|slowly ~step|~take slow steps"
        "|~move slowly|~walk at a slow pace|~walk without hurry|~wander|~inch] {dir}",
        "~walk {dir} [slowly|at a slow pace|with slow steps|in no hurry|at a gentle pace]",
        "~take [slow|small|unhurried] steps {dir}",
        "~go {dir} at a [slow|leisurely] walk",
    ),
    "normal": (
        "[~walk|~walk|~walk|~move|~step|~stride|~head|~go|~advance|~travel|~pace] {dir}",
        "~take [a few|several|some] steps {dir}",
        "~walk {dir} [at a steady pace|at a normal pace|with even steps]",
        "~make {poss} way {dir}",
    ),
    "fast": (
        "[~walk briskly|briskly ~walk|~walk quickly|quickly ~walk|~hurry|~stride quickly"
        "|~walk at a brisk pace|~step briskly|~move quickly] {dir}",
        "~walk {dir} [at a quick pace|with quick steps|at speed]",
        "~take [quick|brisk|rapid] steps {dir}",
        "power-~walk {dir}",
    ),
}
WALK_STEPS = (
    "~take {n} steps {dir}",
    "~walk {n} steps {dir}",
    "~step {dir} {times}",
    "~go {dir} for {n} steps",
    "~move {dir} by taking {n} steps",
)
ONE_STEP = (
    "~take [a|one|a single] step {dir}",
    "~step {dir}",
    "~step {dir} once",
    "~move {dir} by one step",
    "~make [a|one] step {dir}",
)
WALK_BACK = {
    "slow": (
        "[slowly ~back up|slowly ~step back|~edge backward|slowly ~walk {dir}"
        "|~walk slowly {dir}|slowly ~back away]",
        "~walk {dir} [slowly|at a slow pace|with slow steps]",
        "~take slow steps {dir}",
    ),
    "normal": (
        "[~walk {dir}|~walk {dir}|~step {dir}|~move {dir}|~back up|~back away|~retreat"
        "|~go {dir}|~walk in reverse]",
        "~take [a few|several|some] steps {dir}",
        "~pace {dir}",
    ),
    "fast": (
        "[quickly ~back up|~walk quickly {dir}|quickly ~step {dir}|~hurry {dir}"
        "|~back away quickly|~retreat quickly]",
        "~walk {dir} [with quick steps|at a brisk pace]",
    ),
}
WALK_SIDE = {
    "slow": (
        "[slowly ~sidestep|slowly ~shuffle sideways|slowly ~move|~edge|~inch"
        "|~step slowly|slowly ~walk sideways|~sidle] {dir}",
        "~move sideways {dir} [slowly|with slow steps|at a slow pace]",
    ),
    "normal": (
        "[~sidestep|~step|~shuffle|~walk sideways|~move|side-~step|~go sideways"
        "|~step sideways|~shift] {dir}",
        "~take [a few|several|some] [side steps|steps sideways|sideways steps] {dir}",
        "~walk {dir} [one foot beside the other|one side step after another]",
    ),
    "fast": (
        "[quickly ~sidestep|quickly ~shuffle|~hurry sideways|~sidestep quickly"
        "|~move quickly|~dart|~shuffle fast] {dir}",
        "~shuffle {dir} [with quick steps|at a quick pace]",
    ),
}
WALK_LOW = (
    "~walk {dir} [in a crouch|while crouching|with bent knees|in a low crouch"
    "|while staying low|crouched low to the ground|hunched down]",
    "[~creep|~move|~step|~go] {dir} [in a crouch|while crouching low|low to the ground"
    "|with {poss} knees bent|in a half squat]",
    "~crouch [low|down|] and ~walk {dir}",
    "~stay low [to the ground|] and ~move {dir}",
    "crouch-~walk {dir}",
)
RUN = {
    "slow": (
        "[~jog|~jog|~jog|~trot|~run slowly|~run lightly|~run at a jog] {dir}",
        "~go {dir} at a [jog|slow run|trot]",
    ),
    "normal": (
        "[~run|~run|~run|~jog|~rush|~dash|~hurry at a run] {dir}",
        "~move {dir} at a run",
        "~run {dir} [at a steady pace|with long strides|with quick steps]",
    ),
    "fast": (
        "[~run fast|~sprint|~dash|~race|~run quickly|quickly ~run|~charge|~bolt] {dir}",
        "~run {dir} [at full speed|at high speed|very fast]",
    ),
}
VEER = (
    "[curving|veering|bending|bearing|drifting|swinging] [to the {side}|{side}"
    "|toward the {side}|off to the {side}|to {poss} {side}]",
    "in a [curve|wide curve|gentle curve|bend|arc] to the {side}",
    "[turning|gradually turning] to the {side}",
    "along a path that [curves|bends] to the {side}",
)
VEER_SHARP = (
    "[turning|making a turn|cutting|taking a turn] [to the {side}|{side}"
    "|to {poss} {side}] [along the way|on the way|partway|midway]",
    "around a corner to the {side}",
    "and ~turn [to the {side}|{side}|to {poss} {side}]",
    "and ~make a [{side} turn|turn to the {side}]",
    "and ~round a corner to the {side}",
)
VEER_WIDE = (
    "in a [half circle|semicircle|wide arc|big curve] to the {side}",
    "[in an arc|along an arc|in a half circle] {rot}",
    "[circling around|looping around|curving around] to the {side}",
    "along a circular path to the {side}",
)
VEER_CORNER = (
    "and ~make a [ninety degree|90 degree|sharp] turn to the {side}",
    "and ~turn [ninety degrees|90 degrees] to the {side}",
    "around a [ninety degree|90 degree|sharp] corner to the {side}",
    "with a [ninety degree|90 degree] [{side} turn|turn to the {side}]",
)
"""For paths that bend by a right angle."""
DISTANCE = (
    "for about {n}",
    "about {n}",
    "for roughly {n}",
    "covering about {n}",
)

CIRCLE = (
    "{gait} [in a circle {rot}|in a {rot} circle|{rot} in a circle|around in a {rot} "
    "circle|in a circle going {rot}|{rot} around a circle|in a full circle {rot}]",
    "{gait} in a circle to [the|{poss}] {side}",
    "{gait} [around|all the way around] in a circle, turning {side}",
    "~circle [around|] [to the {side}|{rot}]",
    "~make a {rot} [circle|loop] [at a {noun}|]",
    "~loop around {rot}",
    "~trace a circle {rot} [on foot|]",
)
CIRCLES = (
    "{gait} [in circles {rot}|around and around {rot}|in {rot} circles|{rot} in circles]",
    "~circle {rot} {times}",
    "{gait} around in a {rot} circle {times}",
    "~make {n} {rot} [circles|loops]",
)

TURN = (
    "[~turn|~turn|~rotate|~pivot|~swivel] [to the {side}|{side}|to {poss} {side}"
    "|toward the {side}|{rot}]",
    "~make a [{side} turn|turn to the {side}]",
    "~turn to face [{poss} {side}|the {side} side]",
    "[~turn|~rotate|~pivot] {poss} body to the {side}",
)
TURN_SPOT = (
    "[~turn|~rotate|~pivot|~swivel] in place to the {side}",
    "[~pivot|~rotate|~turn] {side} [on the spot|in place]",
    "~turn [{rot}|{side}] without going anywhere",
)
"""For turns that go nowhere."""
TURN_QUARTER = (
    "~turn [ninety degrees|90 degrees|a quarter turn] [to the {side}|{side}"
    "|to {poss} {side}|{rot}]",
    "~make a [quarter turn|ninety degree turn|90 degree turn] to the {side}",
    "[~pivot|~rotate] [ninety|90] degrees {side}",
)
TURN_HALF = (
    "~turn around [to the {side}|to {poss} {side}|over {poss} {side} shoulder|{rot}|]",
    "~turn [180 degrees|one hundred eighty degrees|halfway around|a half turn] "
    "[to the {side}|{side}|{rot}]",
    "~make [a half turn|an about turn|a U-turn] to the {side}",
    "[~rotate|~pivot|~spin] [180 degrees|around|halfway around] to the {side}",
    "~turn to face the other way",
)
TURN_THREE_QUARTER = (
    "[~turn|~rotate|~spin] [270 degrees|three quarters of the way around] "
    "[to the {side}|{rot}]",
    "~make a three quarter turn to the {side}",
)
TURN_FULL = (
    "~turn [all the way around|in a full circle|360 degrees|a full turn] "
    "[to the {side}|{rot}|{side}]",
    "~spin [around|in a circle|all the way around|360 degrees] [to the {side}|{rot}]",
    "~make a [full turn|complete turn|full rotation|360 degree turn] to the {side}",
    "[~rotate|~pivot|~twirl] [in a circle|through a full circle|once] {rot}",
)
TURN_MANY = (
    "[~spin|~turn|~rotate|~whirl|~twirl] around [and around|several times|repeatedly] "
    "[to the {side}|{rot}]",
    "~keep [spinning|turning|rotating] [to the {side}|{rot}]",
    "~spin in circles [to the {side}|{rot}]",
)
