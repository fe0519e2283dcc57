"""The text encoder, its word pieces, and how a prompt is read before them.

normal.py        one way to write what has several
vocabulary.py    the words of the training captions
spelling.py      typos put right by them
verbs.py         words that are orders, where captions do not tell
wording.py       orders in plainer words
leading.py       what stands before the first order
deeds.py         deeds named by a noun
strikes.py       punches called one after the other
orders.py        these five: any request as plain orders
person.py        orders as what a person does
reading.py       all of it: `read_prompt`
word_pieces.py   text to pieces
encoder.py       pieces to states
front.py         both as an artefact
"""

from texedo.language.normal import normalize as normalize
from texedo.language.reading import Reader as Reader
from texedo.language.reading import Reading as Reading
from texedo.language.reading import read_prompt as read_prompt
from texedo.language.spelling import Correction as Correction
from texedo.language.spelling import Spelling as Spelling
