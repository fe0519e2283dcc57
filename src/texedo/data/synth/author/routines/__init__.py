"""Routines: what arms and trunk do for an everyday request, as steps in a data file.

    places   where a palm may go, by name
    steps    the language of the steps, read and checked
    perform  steps written into a scene

The file `routines.toml` names the request (`captions.activities`) that each of them is
for; its rule judges the finished motion, and its wordings name it.
"""

from texedo.data.synth.author.routines.perform import routine as routine
from texedo.data.synth.author.routines.steps import load_routines as load_routines
