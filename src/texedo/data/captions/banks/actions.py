"""What a label names and no measurement can tell: dances, loads, tools, characters.

Each entry is asked with the label's description. `going` is used where the motion
travels, {dir} being the direction; the manner of a style may follow either.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Action(NamedTuple):
    """Phrases for an activity."""

    pattern: re.Pattern[str]
    phrases: tuple[str, ...]
    going: tuple[str, ...] = ()


def _action(pattern: str, *phrases: str, going: tuple[str, ...] = ()) -> Action:
    return Action(re.compile(pattern), phrases, going)


ACTIONS: tuple[Action, ...] = (
    _action(
        r"salsa",
        "~dance [the salsa|salsa|salsa steps]",
        "~do a salsa dance",
        "~do [salsa|salsa dance] [steps|moves]",
        "~perform a salsa [dance|routine]",
        "~move to a salsa rhythm",
        "~dance [in|to] salsa [style|rhythm]",
        going=("~dance salsa {dir}", "~salsa {dir}", "~do salsa steps {dir}"),
    ),
    _action(
        r"charleston|lindy|lambada|macarena|moonwalk|russian dance|chicken dance|fancyfoot"
        r"|^dance$|dance, |mickey dance|dancing",
        "~dance [with enthusiasm|energetically|in a lively way|]",
        "~do a [lively |]dance",
        "~perform [a dance|dance steps|a dance routine]",
        "~dance to music",
        "~move rhythmically in a dance",
        going=(
            "~dance {dir}",
            "~dance {dir} [with enthusiasm|with lively steps|energetically]",
            "~do dance steps {dir}",
        ),
    ),
    _action(
        r"dance - |jete|arabesque|pirouette",
        "~dance [ballet|gracefully|]",
        "~perform [ballet moves|a ballet sequence|dance moves]",
        "~do a graceful dance",
        going=("~dance {dir}", "~dance gracefully {dir}"),
    ),
    _action(
        r"boxing",
        "~box",
        "~shadowbox",
        "~box [against an imaginary opponent|in the air|with both fists]",
        "~throw punches [like a boxer|as if boxing|]",
        "~practice boxing",
        going=(
            "~box while moving {dir}",
            "~advance {dir} while boxing",
            "~move {dir} while throwing punches",
            "~box aggressively while stepping {dir}",
        ),
    ),
    _action(
        r"punch",
        "~throw punches [aggressively|with force|]",
        "~punch [the air|with both fists|with force]",
        "~strike out with {poss} fists",
        going=("~throw punches while moving {dir}", "~punch while stepping {dir}"),
    ),
    _action(
        r"heavy|19\.5|15\.5",
        "~carry something heavy",
        "~hold a heavy object",
        "~lug a heavy load",
        going=(
            "~carry something heavy {dir}",
            "~carry something heavy while moving {dir}",
            "~walk {dir} [carrying a heavy load|with a heavy object]",
            "~lug a heavy suitcase {dir}",
        ),
    ),
    _action(
        r"suitcase|12\.5|walk and carry|carry|holding a baby|moving a stool",
        "~carry [an object|something|a load]",
        "~hold an object",
        going=(
            "~carry an object {dir}",
            "~hold an object and ~move {dir}",
            "~hold something and ~walk {dir}",
            "~walk {dir} while carrying [something|an object]",
            "~carry an object {dir}, balancing carefully",
        ),
    ),
    _action(
        r"step(?:ping)? over|stepping on something",
        "~take a big step over something",
        "~step over [something|an object|an obstacle]",
        "~lift {poss} feet [high|] to step over something",
        going=(
            "~walk {dir} and ~take a big step over something",
            "~step over something while walking {dir}",
        ),
    ),
    _action(
        r"jumping jack",
        "~do jumping jacks",
        "~perform jumping jacks",
        "~exercise with jumping jacks",
    ),
    _action(
        r"^stretch|range ?of ?motion|stretching",
        "~stretch",
        "~do stretches",
        "~stretch {poss} [body|arms|muscles|limbs]",
        "~warm up by stretching",
        "~go through stretching exercises",
    ),
    _action(
        r"balanc",
        "~balance [carefully|]",
        "~keep {poss} balance [carefully|]",
        going=(
            "~walk {dir}, balancing carefully",
            "~walk {dir} with {poss} arms out, balancing",
            "~step {dir} while balancing with both arms out",
        ),
    ),
    _action(
        r"dribbl",
        "~dribble a basketball",
        "~bounce a ball",
        going=("~dribble a ball {dir}", "~move {dir} while dribbling a basketball"),
    ),
    _action(
        r"sweep|mop|broom|vacuum|rak",
        "~sweep the floor",
        "~push a broom back and forth",
        "~clean the floor",
        going=("~sweep the floor while moving {dir}",),
    ),
    _action(
        r"(?:wash|clean|wip)\w* (?:a )?window",
        "~wash a window",
        "~wipe a window",
        "~clean a window with {poss} hand",
    ),
    _action(r"tai chi", "~practice tai chi", "~do slow tai chi movements"),
    _action(r"yoga|sun salut", "~do yoga", "~practice yoga poses"),
    _action(
        r"laugh",
        "~laugh",
        "~shake with laughter",
        "~laugh happily",
    ),
    _action(
        r"very happy|^happy$",
        "~act happy",
        "~show joy",
        "~celebrate happily",
        "~perform a happy dance",
    ),
    _action(r"cry", "~cry", "~weep with {poss} head down"),
    _action(r"^scared$", "~act scared", "~shrink back in fear"),
    _action(
        r"drink|soda|coffee|sip|chug",
        "~take a drink",
        "~drink [something|from a cup|from a bottle]",
    ),
    _action(r"basketball signals", "~make hand signals", "~signal like a referee"),
    _action(
        r"direct traffic",
        "~direct traffic",
        "~signal to traffic with {poss} arms",
    ),
    _action(r"sword", "~swing a sword", "~fight with a sword"),
    _action(
        r"push",
        "~push something heavy",
        "~push against an object",
        going=("~push something heavy {dir}", "~push an object {dir}"),
    ),
    _action(
        r"drag|pull",
        "~pull something heavy",
        "~drag a heavy object",
        going=("~drag something heavy {dir}", "~pull a heavy object {dir}"),
    ),
)


def action_of(description: str) -> Action | None:
    """The first activity that a description names."""
    for action in ACTIONS:
        if action.pattern.search(description):
            return action
    return None
