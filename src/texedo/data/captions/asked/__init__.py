"""What a sentence asks for, read freely: not whole sentences, but the deeds in them.

tokens    words made alike
patterns  the wordings of all known requests, looked for among the words
parse     steps, and in each of them units, manners and refusals
wish      the rule that a motion must fulfil, and how much of the sentence it covers
when      which of two deeds comes first
sides     the sides that are named, and those that a motion is on
clauses   the same for what the strict reader (`captions.reader`) understands
"""

from texedo.data.captions.asked.wish import Wish as Wish
from texedo.data.captions.asked.wish import wish_of as wish_of
