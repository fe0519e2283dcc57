"""Everyday requests, and rules that see whether a motion fulfils them.

    table       what people ask for, with wordings and a rule each
    rules       the language of the rules
    predicates  what a motion can be asked
    compose     prompts of one request or of several
    judge       yes, perhaps or no for a motion

Weak supervision: a rule that says yes has measured what the words ask for; it cannot tell
a sword from a stick, nor grace from haste.
"""

from texedo.data.captions.activities.compose import RequestPrompt as RequestPrompt
from texedo.data.captions.activities.compose import prompts as prompts
from texedo.data.captions.activities.judge import judge as judge
from texedo.data.captions.activities.table import load_requests as load_requests
