"""The embedding: its loss, its networks, its training, its place on disk."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.motions import random_motion
from tests.support.standing import standing
from texedo.core.errors import CheckpointError, FileFormatError, TexedoError
from texedo.data.corpus.store import Clip, Corpus, write_corpus
from texedo.evaluation.alignment import Aligner, choose_prompts, truth_report
from texedo.motion import Motion

torch = pytest.importorskip("torch")

from tests.support.small_lm import WORDS, small_encoder  # noqa: E402
from texedo.evaluation.embedding.data import Captions, read_captions  # noqa: E402
from texedo.evaluation.embedding.model import (  # noqa: E402
    EmbeddingCfg,
    EmbeddingNet,
    TextMotionEmbedding,
    load_embedding,
    save_embedding,
)
from texedo.evaluation.embedding.train import (  # noqa: E402
    EmbeddingTrainCfg,
    contrastive_loss,
    false_negatives,
    train_embedding,
)
from texedo.language.front import save_text_front  # noqa: E402
from texedo.language.word_pieces import WordPiece  # noqa: E402

TINY = EmbeddingCfg(size=8, text_size=24, width=16, layers=1, heads=2, dropout=0.0)


def tiny_embedding() -> TextMotionEmbedding:
    torch.manual_seed(0)
    words = WordPiece(WORDS, small_encoder().cfg.max_tokens)
    return TextMotionEmbedding(EmbeddingNet(TINY), small_encoder(), words)


class Unrelated(TextMotionEmbedding):
    """Every sentence has a vector far from all others."""

    def sentences(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [np.random.default_rng(list(t.encode())).normal(size=24) for t in texts]
        unit = np.array(rows).reshape(-1, 24)
        unit /= np.linalg.norm(unit, axis=1, keepdims=True)
        return unit.astype(np.float32)


def unrelated() -> TextMotionEmbedding:
    plain = tiny_embedding()
    return Unrelated(plain.net, plain._encoder, plain._words)


def tall(raised: float, seed: int) -> Motion:
    """Arms that swing, at one of two heights."""
    return standing(24, seed=seed, height=0.757 + raised)


def small_corpus(folder: Path, *, clips: int = 120) -> Path:
    """Every other clip stands higher, and its captions say "right", not "left".

    To an untrained text encoder all sentences are alike but for words of direction.
    """
    about, frames = [], []
    for i in range(clips):
        word = ("left", "right")[i % 2]
        motion = tall(0.3 * (i % 2), seed=i)
        frames.append(motion.to_qpos())
        about.append(
            Clip(
                id=f"clip{i}",
                trial="01_01",
                subject="01",
                start=0.0,
                end=len(motion) / 50,
                first_frame=0,
                num_frames=len(motion),
                family=word,
                split=("train", "train", "val")[i % 3],
                group="01_01",
                kind="captured" if i % 5 else "mirrored",
                captions=(f"person {word} {'abcdefghij'[i % 10]}", f"{word}"),
            )
        )
    write_corpus(folder, about, frames)
    return folder


# Loss


def test_with_nothing_learned_each_of_two_is_a_coin() -> None:
    loss = contrastive_loss(torch.zeros(2, 2), torch.zeros(2, 2).bool(), 1)
    assert float(loss) == pytest.approx(np.log(2))


def test_two_captions_a_clip_do_not_stand_against_each_other() -> None:
    # Against three other motions a caption has 1 in 4; a motion, for one caption at a
    # time, has the six of the others beside it: 1 in 7.
    loss = contrastive_loss(torch.zeros(4, 8), torch.zeros(4, 8).bool(), 2)
    assert float(loss) == pytest.approx((np.log(4) + np.log(7)) / 2)


def test_what_says_the_same_is_no_negative() -> None:
    alike = torch.ones(2, 2).bool()
    loss = contrastive_loss(torch.zeros(2, 2, requires_grad=True), alike, 1)
    assert float(loss.detach()) == 0


def test_captions_are_compared_with_all_of_a_clips_own() -> None:
    captions = Captions(
        texts=["walk", "walk left", "jump"],
        vectors=np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32),
        sentences=np.array([1, 2, 3]),
        directions=np.array([0, 9, 0]),
        of_clip=[],
    )
    # Clip 0: "walk" and "jump"; clip 1: "walk left" and "walk".
    alike = false_negatives(captions, np.array([[0, 2], [1, 0]]))
    assert alike.tolist() == [[True, True, False, True], [True, False, True, True]]


# Networks


def test_vectors_have_length_one_and_do_not_depend_on_the_company() -> None:
    embedding = tiny_embedding()
    motions = [random_motion(i, frames) for i, frames in enumerate((100, 37, 8))]
    together = embedding.motions(motions)
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)
    for i, motion in enumerate(motions):
        assert embedding.motions([motion])[0] == pytest.approx(together[i], abs=1e-5)
    texts = embedding.texts(["walk", "person jump and wave"])
    assert embedding.texts(["walk"])[0] == pytest.approx(texts[0], abs=1e-5)


def test_it_comes_back_from_disk_as_it_was(tmp_path: Path) -> None:
    embedding = tiny_embedding()
    save_embedding(tmp_path, embedding, metadata={"steps": 3})
    again = load_embedding(tmp_path)
    motions = [random_motion(0, 50)]
    assert again.motions(motions) == pytest.approx(embedding.motions(motions))
    # The text encoder is stored with fewer digits.
    assert again.texts(["walk"]) == pytest.approx(embedding.texts(["walk"]), abs=0.02)
    assert again.metadata == {"steps": 3}
    assert len(again.digest) == 64


def test_sizes_that_do_not_fit_the_weights_are_refused(tmp_path: Path) -> None:
    save_embedding(tmp_path, tiny_embedding())
    config = json.loads((tmp_path / "config.json").read_text())
    config["model"]["width"] = 32
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(CheckpointError, match="train it again"):
        load_embedding(tmp_path)


# Training


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def text_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    encoder = small_encoder()
    words = WordPiece(WORDS, encoder.cfg.max_tokens)
    return save_text_front(tmp_path_factory.mktemp("text"), encoder, words)


def small_cfg(
    corpus: Path, text_encoder: Path, out: Path, **changes: Any
) -> EmbeddingTrainCfg:
    return EmbeddingTrainCfg(
        corpus=corpus,
        text_encoder=text_encoder,
        out=str(out),
        batch=32,
        warmup=2,
        learning_rate=1e-2,
        net=TINY,
        **changes,
    )


def test_it_learns_which_height_is_called_right(
    corpus: Path, text_encoder: Path, tmp_path: Path
) -> None:
    train_embedding(
        small_cfg(corpus, text_encoder, tmp_path, steps=120, save_every=120)
    )
    embedding = load_embedding(tmp_path / "embedding")
    low, high = embedding.motions([tall(0.0, 900), tall(0.3, 901)])
    left, right = embedding.texts(["person left b", "person right b"])
    assert low @ left > low @ right + 0.3
    assert high @ right > high @ left + 0.3


def test_a_run_that_was_cut_off_goes_on_as_if_it_had_not_been(
    corpus: Path, text_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from texedo.evaluation.embedding import train as embedding_train

    def cfg(folder: str) -> EmbeddingTrainCfg:
        return small_cfg(corpus, text_encoder, tmp_path / folder, steps=4, save_every=2)

    train_embedding(cfg("whole"))
    real, left = embedding_train.step, [3]

    def failing(run: embedding_train.Run, own: EmbeddingTrainCfg, done: float) -> float:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return real(run, own, done)

    monkeypatch.setattr(embedding_train, "step", failing)
    with pytest.raises(KeyboardInterrupt):
        train_embedding(cfg("parts"))
    monkeypatch.setattr(embedding_train, "step", real)
    train_embedding(cfg("parts"))
    motions = [random_motion(0, 40)]
    whole, parts = (
        load_embedding(tmp_path / name / "embedding").motions(motions)
        for name in ("whole", "parts")
    )
    assert np.array_equal(whole, parts)


def test_a_folder_with_another_network_is_refused(
    corpus: Path, text_encoder: Path, tmp_path: Path
) -> None:
    cfg = small_cfg(corpus, text_encoder, tmp_path, steps=1, save_every=1)
    train_embedding(cfg)
    other = EmbeddingCfg(size=8, width=32, layers=1, heads=2)
    with pytest.raises(CheckpointError, match="the run there has --"):
        train_embedding(
            EmbeddingTrainCfg(
                corpus=corpus, text_encoder=text_encoder, out=str(tmp_path), net=other
            )
        )


def test_sentence_vectors_are_made_once(corpus: Path, tmp_path: Path) -> None:
    asked: list[int] = []

    def encode(texts: list[str]) -> np.ndarray:  # type: ignore[type-arg]
        asked.append(len(texts))
        return np.full((len(texts), 2), 0.5, dtype=np.float32)

    loaded, path = Corpus.load(corpus), tmp_path / "v.npz"
    for digest in ("one", "one", "two"):  # Another encoder, other vectors.
        read_captions(loaded, encode, encoder_digest=digest, path=path)  # type: ignore[arg-type]
    assert asked == [12, 12]  # Two words, alone and with five letters each.


def test_a_corpus_without_captions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no captions"):
        read_captions(
            Corpus([], np.zeros((0, 36), np.float32), info={}),
            lambda texts: np.zeros((len(texts), 1), np.float32),
            encoder_digest="",
            path=tmp_path / "v.npz",
        )


# Held-out sets


def test_a_clips_id_says_which_of_its_captions_is_taken(corpus: Path) -> None:
    loaded = Corpus.load(corpus)
    first, again, next_ = (choose_prompts(loaded, "val", turn=t) for t in (0, 0, 1))
    assert first == again
    assert all(a != b for a, b in zip(first.prompts, next_.prompts, strict=True))
    assert {loaded.clips[i].kind for i in first.clips} == {"captured"}
    assert len(choose_prompts(loaded, "val", limit=5).clips) == 5


def test_the_truth_has_the_same_figures_twice_and_no_distance_from_itself(
    corpus: Path,
) -> None:
    loaded, embedding = Corpus.load(corpus), unrelated()
    motions = [random_motion(i, 40) for i in range(40)]
    prompts = [f"{'abcdefghijklmnopqrst'[i % 20]} {i // 20}" for i in range(40)]
    aligner = Aligner(embedding, prompts, motions)
    figures = aligner.figures(motions)
    assert figures.pop("fid") == pytest.approx(0, abs=1e-6)
    assert np.isnan(figures.pop("sides"))  # No text has a side.
    assert figures == {k: v for k, v in aligner.truth().items() if k != "sides"}
    with pytest.raises(TexedoError, match="each of the 5 prompts against 31.*only 4"):
        Aligner(embedding, prompts[:5], motions[:5])
    with pytest.raises(TexedoError, match="each of the 0 prompts"):
        truth_report(loaded, embedding, splits=("test",))
