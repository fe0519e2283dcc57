"""Routines: what arms and trunk do for an everyday request, as steps in a data file.

    places   where a palm may go, by name
    feet     where a foot may go, and how it is lifted
    steps    the language of the steps, read and checked
    perform  steps written into a scene

The files `routines.toml` and `more.toml` name the request (`captions.activities`,
`captions.asked`) that each of them is for; its rule judges the finished motion, and its
wordings name it. The corpus has motions of the first file alone (`corpus_routines`).
"""

from texedo.data.synth.author.routines.perform import routine as routine
from texedo.data.synth.author.routines.steps import corpus_routines as corpus_routines
from texedo.data.synth.author.routines.steps import load_routines as load_routines
