"""How long the kinematic judge takes for a prompt and a motion.

    python benchmarks/judge.py ~/.cache/texedo/corpus/cmu

One caption of each of 200 validation clips, with the clip; every motion is new to the
judge. Seconds of the processor, which other programs do not lengthen.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import tyro

from texedo.data.corpus.corpus_file import open_corpus
from texedo.evaluation.judges.kinematic import KinematicJudge

CLIPS = 200


def main(folder: tyro.conf.Positional[Path]) -> None:
    corpus, judge = open_corpus(folder.expanduser()), KinematicJudge()
    rows = [i for i in corpus.select(split="val") if corpus.clips[i].captions]
    rows = rows[:: max(len(rows) // CLIPS, 1)][:CLIPS]
    pairs = [(corpus.clips[i].captions[0], corpus.motion(i)) for i in rows]
    judge.judge(*pairs[0])
    spent = []
    for prompt, motion in pairs:
        start = time.process_time()
        judge.judge(prompt, motion)
        spent.append(1e3 * (time.process_time() - start))
    mean, most = np.mean(spent), np.quantile(spent, 0.95)
    long = np.mean([motion.duration for _, motion in pairs])
    print(
        f"{len(pairs)} motions of {long:.1f} s on average: {mean:.1f} ms each, "
        f"95 % below {most:.1f} ms"
    )


if __name__ == "__main__":
    tyro.cli(main)
