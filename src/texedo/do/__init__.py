"""DO: scores -> one motion.

In: R_dyn and R_text of the N candidates of a prompt. Out: the index of the one to play,
and for every candidate why. The paper's rule filters first and ranks second:

    S  = {i : R_dyn(i) > theta}
    i* = argmax over S of R_text(i), or argmax of R_dyn(i) if S is empty

A verifier may filter by the chance to get to the end in place of R_dyn.

Before it ranks, every rule that reads a score may be told whom to prefer: those who pass
what was checked of the motion itself. They come first as long as one of them is feasible.
"""

from texedo.do.given import Above as Above
from texedo.do.select import RULES as RULES
from texedo.do.select import THRESHOLD as THRESHOLD
from texedo.do.select import Outcome as Outcome
from texedo.do.select import Pool as Pool
from texedo.do.select import Ranking as Ranking
from texedo.do.select import Rule as Rule
from texedo.do.select import Selection as Selection
from texedo.do.select import Verdict as Verdict
from texedo.do.select import find_rule as find_rule
from texedo.do.select import select_batch as select_batch
from texedo.do.select import select_best as select_best
