"""A strict reader of sentences about motions: `check(read(text), measure(motion))`.

`read` takes a sentence apart into clauses: what is to be done, with which side, where to,
how often, how far, in which order. `check` compares them with what was measured. "Yes" is
said only where every word was understood and everything was seen; "no" only where
something is plainly otherwise. It labels drawn candidates; `claims` is the lenient one.
"""

from texedo.data.captions.reader.check import check as check
from texedo.data.captions.reader.read import read as read
from texedo.data.captions.reader.types import Clause as Clause
from texedo.data.captions.reader.types import Verdict as Verdict
from texedo.data.captions.reader.types import Wanted as Wanted
