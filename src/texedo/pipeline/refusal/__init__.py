"""Honest refusal: a sentence that nothing known answers gets no motion, and is told why.

    refuser = find_refuser()
    refusal = refuser.judge("do a backflip", r_text)  # R_text of its candidates, (N,)
    refusal.reason, refusal.known

evidence.py   what speaks for and against, as four numbers
known.py      what was learnt, in groups with a phrase each
refuser.py    the rule that weighs them, and its file
"""

from texedo.pipeline.refusal.evidence import Evidence as Evidence
from texedo.pipeline.refusal.refuser import Refuser as Refuser
from texedo.pipeline.refusal.refuser import find_refuser as find_refuser
from texedo.pipeline.refused import Refusal as Refusal
