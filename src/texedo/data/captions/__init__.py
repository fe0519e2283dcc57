"""What a motion does, in sentences: `captions(facts, label, seed=...)`.

In: `Facts` of `texedo.data.events` and, if somebody has described the motion, a `Annotation`.
Out: three to five `Caption`s. `tag` adds lemmas with their part of speech, and
`write_captions` puts them into a text file in the HumanML3D format.

A caption claims only what was measured or labelled. Events become beats (`beats`), beats
become phrases from banks (`phrases`, `banks`), phrases become sentences (`sentences`); a
label brings its own sentences, as far as the motion bears them out (`claims`), its
activity and its manner (`labelled`). `verb_phrases` gives the phrases themselves, for
sentences about several motions. `paraphrases` says a sentence in other words, `contraries`
makes it false.
"""

from texedo.data.captions.contrary import Contrary as Contrary
from texedo.data.captions.contrary import contraries as contraries
from texedo.data.captions.corpus_captions import annotation_of as annotation_of
from texedo.data.captions.corpus_captions import clip_captions as clip_captions
from texedo.data.captions.corpus_captions import clip_phrases as clip_phrases
from texedo.data.captions.corpus_captions import written_about as written_about
from texedo.data.captions.generate import captions as captions
from texedo.data.captions.generate import verb_phrases as verb_phrases
from texedo.data.captions.paraphrase import paraphrases as paraphrases
from texedo.data.captions.plain import plain_phrases as plain_phrases
from texedo.data.captions.sides import skeleton as skeleton
from texedo.data.captions.sides import swap_sides as swap_sides
from texedo.data.captions.tagging import tag as tag
from texedo.data.captions.tagging import tag_tokens as tag_tokens
from texedo.data.captions.textfiles import read_captions as read_captions
from texedo.data.captions.textfiles import write_captions as write_captions
from texedo.data.captions.types import Annotation as Annotation
from texedo.data.captions.types import Caption as Caption
from texedo.data.captions.types import mirror_annotation as mirror_annotation
