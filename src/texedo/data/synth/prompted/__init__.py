"""What a sentence asks for as specs of authored motions.

table      requests and the specs that do what they ask for
clauses    the same for clauses with numbers: ways, steps, angles, counts
held       postures: by themselves, beside a deed, or under one
sentences  a sentence as specs: one thing, several in turn, or two at once

A sentence that is not understood to its end has no specs.
"""

from texedo.data.synth.prompted.sentences import specs_for as specs_for
from texedo.data.synth.prompted.sentences import told as told
from texedo.data.synth.prompted.sentences import ways_for as ways_for
