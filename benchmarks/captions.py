"""How varied the captions of a corpus are, and how long they take.

    python benchmarks/captions.py ~/.cache/texedo/corpus/cmu path/to/labels.jsonl

Every captured clip is measured and captioned with its label. A skeleton is a sentence
with its sides, numbers and directions masked.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path

import tyro

from texedo.data.captions import annotation_of, captions, skeleton, tag_tokens
from texedo.data.capture.cmu import read_labels
from texedo.data.corpus.store import Corpus
from texedo.data.events import measure

PROMPT_WORDS = """
    salsa dance big step over circle clockwise happy punches squatting slowly holds object
    moves carrying heavy hook ahead dances happily straight executes jab force throws
    cautiously boxing jabs performs advances aggressively stretching arms above head
    carries sideways balancing carefully spinning air shambles lifelessly jumping jacks
    joyfully enthusiasm pivots cheerfully rotates sneaking crouching rearward low ground
    bounces along scurries away frantically panic raises hand returns stumbles backward
    zombie-like shamble appears
""".split()
"""Content words of the thirty sentences that were tried on the real robot."""


def main(
    folder: tyro.conf.Positional[Path], labels_file: tyro.conf.Positional[Path]
) -> None:
    corpus = Corpus.load(folder.expanduser())
    labels = read_labels(labels_file.expanduser())
    rows = corpus.select(kind="captured")
    clips = [corpus.clips[i] for i in rows]
    start = time.perf_counter()
    facts = [measure(corpus.motion(i)) for i in rows]
    measured = time.perf_counter()
    texts = [
        [
            c.text
            for c in captions(f, annotation_of(clip, labels.get(clip.trial)), seed=i)
        ]
        for i, f, clip in zip(rows, facts, clips, strict=True)
    ]
    told = time.perf_counter()
    flat = [text for row in texts for text in row]
    for text in flat[:1000]:
        tag_tokens(text)
    tagged = time.perf_counter()
    skeletons = Counter(map(skeleton, flat))
    most, times = skeletons.most_common(1)[0]
    words = Counter(w for t in flat for w in set(re.findall(r"[a-z'-]+", t.lower())))
    print(f"{len(rows)} clips, {len(flat)} captions, {len(set(flat))} different")
    print(
        f"{len(skeletons)} skeletons; the most frequent {times / len(flat):.2%}: {most}"
    )
    print(f"{len(words)} words; captions per clip: {Counter(map(len, texts))}")
    print(
        f"measure {(measured - start) / len(rows) * 1e3:.1f} ms a clip, "
        f"captions {(told - measured) / len(rows) * 1e3:.1f} ms a clip, "
        f"tags {(tagged - told) / min(len(flat), 1000) * 1e3:.1f} ms a caption"
    )
    rare = {word: words[word] for word in PROMPT_WORDS if words[word] < 20}
    print(f"prompt words in fewer than 20 captions: {rare}")


if __name__ == "__main__":
    tyro.cli(main)
