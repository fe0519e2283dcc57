"""Trains the embedding on captions and clips of the train split; the CPU will do.

The loss is a symmetric contrastive one: a motion must pick its own captions among those
of the whole batch, and a caption its own motion. Captions of other clips that say the
same as one of its own are no negatives. Step number and seed decide what is drawn, so
that a resumed run sees what it would have seen.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from texedo.core.errors import TexedoError
from texedo.core.threads import one_torch_thread
from texedo.data.corpus.store import Corpus
from texedo.evaluation.embedding.data import (
    Captions,
    EmbeddingData,
    gather,
    read_captions,
)
from texedo.evaluation.embedding.frames import MIN_FRAME_STD
from texedo.evaluation.embedding.model import (
    EmbeddingCfg,
    EmbeddingNet,
    TextMotionEmbedding,
    save_embedding,
)
from texedo.evaluation.embedding.texts import ALIKE
from texedo.evaluation.metrics import POOL, r_precision
from texedo.language.front import load_text_front
from texedo.language.vectors import sentence_vectors
from texedo.learning.clock import Clock
from texedo.learning.options import TrainOptions
from texedo.learning.run import RunFolder, clips_digest
from texedo.learning.state import Arrays
from texedo.learning.weights import (
    pack_module,
    pack_optimizer,
    restore_module,
    restore_optimizer,
)

VECTORS_FILE = "sentences.npz"
EMBEDDING_FOLDER = "embedding"
MAX_SCALE = 100.0

Int64 = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class EmbeddingTrainCfg(TrainOptions):
    """Train the text-motion embedding; about eight minutes on one core."""

    corpus: Path
    """Corpus folder."""
    text_encoder: Path
    """A BERT folder, or one that `texedo.language.front` packed."""
    out: str = "embedding-run"
    steps: int = 800
    batch: int = 192
    """Clips per step."""
    captions: int = 2
    """Captions per clip and step."""
    learning_rate: float = 1e-3
    """Peak learning rate, after the warm-up; cosine decay."""
    weight_decay: float = 0.05
    """Weight decay."""
    warmup: int = 50
    """Warm-up steps."""
    save_every: int = 50
    """Steps between checkpoints, each with an evaluation."""
    net: EmbeddingCfg = EmbeddingCfg()
    """Sizes of the network."""

    PLACES: ClassVar = frozenset({"corpus", "text_encoder"})


class Run:
    """Network, optimiser and data."""

    def __init__(
        self, cfg: EmbeddingTrainCfg, train: EmbeddingData, val: EmbeddingData
    ) -> None:
        torch.manual_seed(cfg.seed)
        size = train.captions.vectors.shape[1]
        self.net = EmbeddingNet(EmbeddingCfg(**{**asdict(cfg.net), "text_size": size}))
        frames = np.concatenate(train.frames)
        std = np.maximum(frames.std(axis=0), MIN_FRAME_STD)
        self.net.frame_mean.copy_(torch.from_numpy(frames.mean(axis=0)))
        self.net.frame_std.copy_(torch.from_numpy(std))
        self.train, self.val = train, val
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), lr=cfg.learning_rate, weight_decay=cfg.weight_decay
        )
        self.step = 0

    @property
    def digest(self) -> str:
        """Names the clips that are learnt from."""
        lengths = np.array([len(frames) for frames in self.train.frames])
        return clips_digest(map(str, self.train.clips), lengths)


def train_embedding(cfg: EmbeddingTrainCfg) -> dict[str, Any]:
    """Train, or go on with what is in `out`; the figures on the val split."""
    out = Path(cfg.out)
    encoder, words = load_text_front(cfg.text_encoder)
    with one_torch_thread():
        corpus = Corpus.load(cfg.corpus)
        captions = read_captions(
            corpus,
            lambda texts: sentence_vectors(encoder, words, texts),
            encoder_digest=f"{_digest(encoder.state_dict())} {words.normal}",
            path=out / VECTORS_FILE,
        )
        train = gather(corpus, captions, corpus.select(split="train", copies=False))
        val = gather(
            corpus,
            captions,
            corpus.select(split="val", kind="captured", copies=False),
        )
        if not train.clips or not val.clips:
            raise TexedoError(
                f"{cfg.corpus}: needs captioned clips of train and val; it has "
                f"{len(train.clips)} and {len(val.clips)}."
            )
        run = Run(cfg, train, val)
        folder = RunFolder(cfg, data=run.digest)
        seconds = _go_on(run, folder)
        with Clock(cfg, seconds=seconds, report_seconds=10.0) as clock:
            while not clock.over(run.step):
                loss = step(run, cfg, clock.fraction(run.step))
                run.step += 1
                if run.step % cfg.save_every == 0:
                    folder.save(_pack(run), step=run.step, seconds=clock.seconds)
                    folder.log.write("train", step=run.step, loss=loss, **evaluate(run))
            folder.save(_pack(run), step=run.step, seconds=clock.seconds)
        figures = evaluate(run)
    metadata = {
        "steps": run.step,
        "seed": cfg.seed,
        "batch": cfg.batch,
        "clips": len(train.clips),
        "seconds": clock.seconds,
        "val_captured": figures,
    }
    embedding = TextMotionEmbedding(run.net, encoder, words)
    save_embedding(out / EMBEDDING_FOLDER, embedding, metadata=metadata)
    folder.log.write("final", step=run.step, seconds=clock.seconds, **figures)
    return figures


def step(run: Run, cfg: EmbeddingTrainCfg, done: float) -> float:
    """One step of the optimiser, `done` of the run before it; the loss [nat]."""
    rng = np.random.default_rng((cfg.seed, run.step))
    torch.manual_seed(hash((cfg.seed, run.step)))
    rows = _draw_clips(rng, len(run.train.clips), cfg.batch, run.step, cfg.seed)
    own = run.train.captions.of_clip
    texts = np.stack(
        [rng.choice(own[run.train.clips[i]], cfg.captions, replace=True) for i in rows]
    )
    # The first frame moves a little, so that a patch does not always begin alike.
    frames = [_late(run.train.frames[i], rng, run.net.cfg.patch) for i in rows]
    run.net.train()
    motions = run.net.motion_rows(frames)
    vectors = torch.from_numpy(run.train.captions.vectors[texts.ravel()])
    said = run.net.texts(vectors)
    scale = run.net.log_scale.exp().clamp(max=MAX_SCALE)
    alike = torch.from_numpy(false_negatives(run.train.captions, texts))
    loss = contrastive_loss(scale * motions @ said.T, alike, cfg.captions)
    for group in run.optimizer.param_groups:
        group["lr"] = cfg.learning_rate * _schedule(run.step, done, cfg)
    run.optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(run.net.parameters(), 1.0)
    run.optimizer.step()
    return float(loss.detach())


def contrastive_loss(logits: Tensor, alike: Tensor, captions: int) -> Tensor:
    """Mean over both directions of -log p(own), [nat].

    `logits` (B, B K): motions and captions, those of clip j at j K and on; `alike` is
    True where a caption of another clip is no negative.
    """
    count = len(logits)
    owner = torch.arange(count).repeat_interleave(captions)
    positive = torch.arange(count)[:, None] == owner
    negatives = logits.masked_fill(positive | alike, -torch.inf)
    own = logits[owner, torch.arange(len(owner))]
    to_text = F.softplus(negatives.logsumexp(1)[owner] - own)
    to_motion = F.softplus(negatives.logsumexp(0) - own)
    return (to_text.mean() + to_motion.mean()) / 2


def false_negatives(captions: Captions, texts: Int64) -> NDArray[np.bool_]:
    """Captions that say what one of a clip's own says, (B, B K); `texts` is (B, K)."""
    flat = texts.ravel()
    vectors = captions.vectors[flat]
    near = vectors @ vectors.T > ALIKE
    near &= captions.directions[flat][:, None] == captions.directions[flat]
    near |= captions.sentences[flat][:, None] == captions.sentences[flat]
    return np.asarray(near.reshape(*texts.shape, -1).any(axis=1))


@torch.inference_mode()
def evaluate(run: Run) -> dict[str, float]:
    """R-precision on the val split's captured clips, by their first captions."""
    run.net.eval()
    captions, val = run.val.captions, run.val
    firsts = np.array([captions.of_clip[i][0] for i in val.clips])
    motions = run.net.motion_rows(val.frames).numpy()
    texts = run.net.texts(torch.from_numpy(captions.vectors[firsts])).numpy()
    same = captions.sentences[firsts][:, None] == captions.sentences[firsts]
    fewest = int((~same).sum(axis=1).min())
    pool = max(min(POOL, fewest + 1), 2)
    found = r_precision(motions, texts, same=same, pool=pool)
    return {f"r{k}": value for k, value in found.items()}


def _draw_clips(
    rng: np.random.Generator, count: int, batch: int, step: int, seed: int
) -> Int64:
    """Different clips of one step; every clip comes once in an epoch."""
    batch = min(batch, count)
    epoch, at = divmod(step, count // batch)
    order = np.random.default_rng((seed, 1 << 20, epoch)).permutation(count)
    return np.asarray(order[at * batch : (at + 1) * batch])


def _late(
    frames: NDArray[np.float32], rng: np.random.Generator, patch: int
) -> NDArray[np.float32]:
    return frames[min(int(rng.integers(patch)), len(frames) - 1) :]


def _schedule(step: int, done: float, cfg: EmbeddingTrainCfg) -> float:
    """Up in a line, then down in half a cosine."""
    if step < cfg.warmup:
        return (step + 1) / cfg.warmup
    if cfg.steps:
        done = (step - cfg.warmup) / max(cfg.steps - cfg.warmup, 1)
    return 0.01 + 0.99 * 0.5 * float(1 + np.cos(np.pi * min(done, 1.0)))


def _digest(tensors: dict[str, Tensor]) -> str:
    import hashlib

    found = hashlib.sha256()
    for name in sorted(tensors):
        found.update(name.encode())
        found.update(np.ascontiguousarray(tensors[name].numpy()).tobytes())
    return found.hexdigest()


def _pack(run: Run) -> Arrays:
    parameters = dict(run.net.named_parameters())
    return pack_module("net", run.net) | pack_optimizer(run.optimizer, parameters)


def _go_on(run: Run, folder: RunFolder) -> float:
    """Restore a run that has begun, if there is one; how long it was trained [s]."""
    saved = folder.earlier()
    if saved is None:
        return 0.0
    restore_module("net", run.net, saved.tensors, folder=saved.folder)
    parameters = dict(run.net.named_parameters())
    restore_optimizer(run.optimizer, parameters, saved.tensors)
    run.step = saved.step
    folder.log.write("setup", step=run.step, spent=saved.seconds)
    return saved.seconds
