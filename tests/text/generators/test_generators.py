"""Generators: ours with stand-ins for its networks, files, Kimodo, and other packages."""

import importlib.metadata
import json
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.standing import standing
from texedo.checkpoints import bundled
from texedo.checkpoints.artifact import write_artifact
from texedo.checkpoints.bundled import folder_digest, has_bundled, weight_hashes
from texedo.core.errors import CheckpointError, GenerationError
from texedo.formats import save_motion
from texedo.motion import Motion
from texedo.text.generators.find import find_generator
from texedo.text.generators.folder import FolderGenerator
from texedo.text.generators.kimodo import KimodoGenerator
from texedo.text.generators.ours import TokenGenerator
from texedo.text.generators.prompts import Sampling
from texedo.text.generators.protocol import (
    Generator,
    check_settings,
    prompt_remarks,
    used_sampling,
)

STAND = standing(8, swing=0.0).to_qpos()


class Words(str):
    def notes(self) -> tuple[str, ...]:
        return ("prompt too long",) if len(self.split()) > 64 else ()


class FakeModel:
    """Every candidate of n has i + 4 tokens, or the number asked for."""

    def __init__(self) -> None:
        self.asked: dict[str, Any] = {}
        self.guidance = 1.5

    def read(self, prompt: str) -> Words:
        return Words(prompt)

    def sample_tokens(
        self, prompts: Sequence[str], n: int, **settings: Any
    ) -> list[list[NDArray[np.int64]]]:
        self.asked = {"prompts": list(prompts), "n": n, **settings}
        length = settings["num_tokens"]
        return [
            [np.zeros(length or i + 4, np.int64) for i in range(n)] for _ in prompts
        ]


class FakeTokenizer:
    downsampling = 4

    def decode(self, codes: Sequence[NDArray[np.int64]]) -> list[NDArray[np.float32]]:
        return [np.resize(STAND, (4 * len(row), 36)) for row in codes]


@pytest.fixture
def model() -> FakeModel:
    return FakeModel()


@pytest.fixture
def ours(model: FakeModel) -> TokenGenerator:
    return TokenGenerator(lambda: (model, FakeTokenizer()), name="fake", digest="0")


# Ours


def test_a_token_is_four_frames(ours: TokenGenerator) -> None:
    motions = ours.sample("a person waves", 3)
    assert [len(motion) for motion in motions] == [16, 20, 24]


def test_candidates_come_prompt_by_prompt(ours: TokenGenerator) -> None:
    rows = ours.sample_many(["a", "b"], 2, seed=7)
    assert [[len(m) for m in row] for row in rows] == [[16, 20], [16, 20]]


def test_the_model_gets_the_settings_of_the_generator_unless_told_otherwise(
    ours: TokenGenerator, model: FakeModel
) -> None:
    ours.sample(" a  person waves ", 2, seed=5)
    assert model.asked == {
        "prompts": ["a person waves"],
        "n": 2,
        "seed": 5,
        "temperature": 1.0,
        "top_k": 200,
        "top_p": 0.98,
        "num_tokens": None,
    }


def test_a_likelihood_is_that_of_the_codes_of_a_motion(model: FakeModel) -> None:
    class Scoring(FakeModel):
        def log_likelihood(
            self, prompt: str, rows: Sequence[NDArray[np.int64]]
        ) -> NDArray[np.float64]:
            return np.array([-len(prompt) - len(row) for row in rows], np.float64)

        def scored_tokens(self, codes: int) -> int:
            return codes + 1

    class Encoding(FakeTokenizer):
        def encode(self, motions: Sequence[Motion]) -> list[NDArray[np.int64]]:
            return [np.zeros(len(motion) // 4, np.int64) for motion in motions]

    generator = TokenGenerator(lambda: (Scoring(), Encoding()), name="x", digest="0")
    found = generator.log_likelihood("wave", [standing(8), standing(16)])
    assert found.given.tolist() == [-6, -8] and found.alone.tolist() == [-2, -4]
    assert found.tokens.tolist() == [3, 5]
    plain = TokenGenerator(lambda: (model, FakeTokenizer()), name="x", digest="0")
    with pytest.raises(GenerationError, match="x: cannot tell how likely"):
        plain.log_likelihood("wave", [standing(8)])


def test_guidance_is_a_setting_like_the_others(
    ours: TokenGenerator, model: FakeModel
) -> None:
    ours.sample("a person waves", 1)
    assert "guidance" not in model.asked  # The model has its own.
    ours.sample("a person waves", 1, guidance=2.5)
    assert model.asked["guidance"] == 2.5
    with pytest.raises(GenerationError, match="guidance must be 0 to 10, got 11"):
        ours.sample("a person waves", 1, guidance=11.0)


def test_a_model_that_cannot_be_guided_says_so(ours: TokenGenerator) -> None:
    model = FakeModel()
    del model.guidance
    plain = TokenGenerator(lambda: (model, FakeTokenizer()), name="fake", digest="0")
    with pytest.raises(GenerationError, match="guidance 2: this model never saw"):
        plain.sample("a person waves", 1, guidance=2.0)


def test_the_settings_that_are_used_are_known_before_any_weights_are_read(
    tmp_path: Path,
) -> None:
    for part, config in (("tokenizer", {}), ("generator", {"guidance": 2.5})):
        write_artifact(
            tmp_path / part, kind="x", config=config, tensors={"w": np.ones(3)}
        )
    generator = TokenGenerator.from_folder(tmp_path)
    used = used_sampling(generator, Sampling(temperature=0.7))
    assert used.to_dict() == {
        "temperature": 0.7,
        "top_k": 200,
        "top_p": 0.98,
        "guidance": 2.5,
    }


def test_a_setting_that_a_generator_does_not_take_is_named() -> None:
    class Plain:
        name, digest = "plain", "0"

        def sample(self, prompt: str, n: int, *, seed: int = 0) -> list[Motion]:
            return []

        def sample_many(
            self, prompts: Sequence[str], n: int, *, seed: int = 0, top_k: int = 5
        ) -> list[list[Motion]]:
            return []

    generator: Any = Plain()
    check_settings(generator, Sampling(top_k=3))
    assert used_sampling(generator, Sampling(top_k=3)) == Sampling(top_k=3)
    with pytest.raises(
        GenerationError, match="guidance 2: generator plain has no such"
    ):
        check_settings(generator, Sampling(guidance=2.0))


def test_no_motion_outlasts_20_seconds(ours: TokenGenerator, model: FakeModel) -> None:
    # 300 tokens are 1,200 frames; 20 s have 1,001.
    motions = ours.sample("a person waves", 297)
    assert len(motions[296]) == 1001 and motions[296].duration == pytest.approx(20.0)
    assert len(motions[245]) == 996  # 249 tokens: nothing is cut.


@pytest.mark.parametrize(
    ("seconds", "tokens", "frames"), [(5.0, 63, 251), (0.32, 5, 17), (20.0, 251, 1001)]
)
def test_a_duration_is_met_to_the_frame(
    ours: TokenGenerator, model: FakeModel, seconds: float, tokens: int, frames: int
) -> None:
    (motion,) = ours.sample("a person waves", 1, duration=seconds)
    assert model.asked["num_tokens"] == tokens
    assert len(motion) == frames and motion.duration == pytest.approx(seconds)


def test_a_wrong_setting_is_found_before_any_weights_are_read() -> None:
    def load() -> Any:
        raise AssertionError("loaded")

    generator = TokenGenerator(load, name="fake", digest="0")
    for settings in ({"temperature": 0.0}, {"duration": 60.0}, {"top_p": 2.0}):
        with pytest.raises(GenerationError):
            generator.sample("a person waves", 1, **settings)  # type: ignore[arg-type]
    with pytest.raises(GenerationError, match="1 to 4096"):
        generator.sample("a person waves", 0)
    with pytest.raises(GenerationError, match="is empty"):
        generator.sample("  ", 1)


def test_a_prompt_that_is_cut_short_is_remarked_upon(ours: TokenGenerator) -> None:
    assert prompt_remarks(ours, "walk") == ()
    assert prompt_remarks(ours, "walk " * 2000) == ("prompt too long",)


def test_a_folder_without_weights_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="tokenizer: holds no weights"):
        TokenGenerator.from_folder(tmp_path)


def test_a_folder_of_weights_is_named_by_the_hashes_of_its_parts(
    tmp_path: Path,
) -> None:
    weights = {"w": np.ones(3, np.float32)}
    for part in ("tokenizer", "generator/text", "generator/motion"):
        write_artifact(tmp_path / part, kind="x", config={}, tensors=weights)
    first = TokenGenerator.from_folder(tmp_path)
    assert sorted(first.weights) == ["generator/motion", "generator/text", "tokenizer"]
    assert len(set(first.weights.values())) == 1
    weights = {"w": np.zeros(3, np.float32)}
    write_artifact(tmp_path / "generator/text", kind="x", config={}, tensors=weights)
    assert TokenGenerator.from_folder(tmp_path).digest != first.digest


# What ships


def test_an_installation_without_weights_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundled, "BUNDLED", tmp_path)
    assert not has_bundled("tracker")
    with pytest.raises(CheckpointError, match="no tokenizer of its own .* folder:PATH"):
        find_generator("texedo")


def test_hashes_of_a_folder_are_those_that_seal_its_weights(tmp_path: Path) -> None:
    write_artifact(tmp_path / "a", kind="x", config={}, tensors={"w": np.ones(2)})
    (key, value), *_ = weight_hashes(tmp_path).items()
    assert key == "a" and len(value) == 64
    digest = folder_digest(tmp_path)
    (tmp_path / "a" / "config.json").write_text("[]")
    assert folder_digest(tmp_path) != digest
    with pytest.raises(CheckpointError, match="is no config of weights"):
        weight_hashes(tmp_path)


# By name


def test_an_unknown_generator_gets_the_list_of_known_ones() -> None:
    with pytest.raises(GenerationError, match="texedo.*nor a folder .* folder:PATH"):
        find_generator("nonsense")


def test_another_package_may_offer_a_generator(
    monkeypatch: pytest.MonkeyPatch, ours: TokenGenerator
) -> None:
    module = types.ModuleType("other_package")
    module.make = lambda: ours  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "other_package", module)
    point = importlib.metadata.EntryPoint(
        "theirs", "other_package:make", "texedo.generators"
    )
    points = importlib.metadata.EntryPoints([point])
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda **params: points.select(**params)
    )
    generator: Generator = find_generator("theirs")
    assert generator is ours
    with pytest.raises(GenerationError, match="theirs"):
        find_generator("nonsense")


# Files


def write(folder: Path, *frames: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for i, count in enumerate(frames):
        save_motion(standing(count), folder / f"{i}.npz")


def lengths(motions: list[Motion]) -> list[int]:
    return [len(motion) for motion in motions]


def test_files_in_the_folder_are_the_candidates_of_any_prompt(tmp_path: Path) -> None:
    write(tmp_path, 10, 11, 12)
    generator = find_generator(f"folder:{tmp_path}")
    assert lengths(generator.sample("anything", 2)) == [10, 11]
    assert lengths(generator.sample("else", 8, seed=3)) == [10, 11, 12]
    assert "have no effect" in prompt_remarks(generator, "anything")[0]


@pytest.mark.parametrize("name", ["a-person-waves", "017-a-person-waves"])
def test_a_folder_named_like_the_prompt_holds_its_candidates(
    tmp_path: Path, name: str
) -> None:
    write(tmp_path, 10)
    write(tmp_path / name, 20, 21)
    assert lengths(FolderGenerator(tmp_path).sample("A person waves.", 8)) == [20, 21]


def test_a_numbered_folder_belongs_to_the_line_of_prompts_txt(tmp_path: Path) -> None:
    write(tmp_path / "1", 10)
    write(tmp_path / "002", 20)
    (tmp_path / "prompts.txt").write_text("walk\n# later\nwave\n")
    generator = FolderGenerator(tmp_path)
    rows = generator.sample_many(["wave", "walk"], 8)
    assert [lengths(row) for row in rows] == [[20], [10]]
    with pytest.raises(GenerationError, match="has no candidates for 'bow'"):
        generator.sample("bow", 1)


def test_of_a_run_folder_the_candidates_are_taken(tmp_path: Path) -> None:
    write(tmp_path / "001-walk", 10)
    write(tmp_path / "001-walk" / "candidates", 20, 21, 22)
    assert lengths(FolderGenerator(tmp_path).sample("walk", 8)) == [20, 21, 22]


def test_of_a_run_the_kept_candidates_are_taken_or_else_the_motion(
    tmp_path: Path,
) -> None:
    run = tmp_path / "anything"
    write(run / "candidates", 20, 21)
    save_motion(standing(10), run / "motion.npz")
    save_motion(standing(10), run / "motion-lafan1.csv", format="lafan1")
    files = {"motion.npz": "", "motion-lafan1.csv": ""}
    record = {"request": {}, "files": files, "prompt": "a person bows"}
    (run / "run.json").write_text(json.dumps(record))
    # Nobody says that `candidates` is of this run.
    assert lengths(FolderGenerator(run).sample("walk", 8)) == [10]
    before = FolderGenerator(run).digest
    for i, frames in enumerate((30, 31, 32)):
        save_motion(standing(frames), run / "candidates" / f"00{i}.npz")
        files[f"candidates/00{i}.npz"] = ""
    (run / "run.json").write_text(json.dumps(record))
    assert lengths(FolderGenerator(run).sample("walk", 8)) == [30, 31, 32]
    assert FolderGenerator(run).digest != before
    # In a folder of runs it is found by its prompt.
    assert lengths(FolderGenerator(tmp_path).sample("a person bows", 2)) == [30, 31]


def test_a_folder_without_motions_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="has no candidates"):
        FolderGenerator(tmp_path).sample("walk", 1)
    with pytest.raises(GenerationError, match="is no folder"):
        find_generator(f"folder:{tmp_path / 'missing'}")


def test_a_file_that_proves_nothing_needs_its_format(tmp_path: Path) -> None:
    save_motion(standing(30), tmp_path / "a.csv", format="lafan1")
    with pytest.raises(GenerationError, match="cannot be read.*a.csv"):
        find_generator(f"folder:{tmp_path}").sample("walk", 1)
    generator = find_generator(f"folder:{tmp_path}", format="lafan1")
    assert len(generator.sample("walk", 1)) == 1


def test_the_hash_of_a_folder_follows_its_content(tmp_path: Path) -> None:
    write(tmp_path, 10)
    digest = FolderGenerator(tmp_path).digest
    assert FolderGenerator(tmp_path).digest == digest
    write(tmp_path, 11)
    assert FolderGenerator(tmp_path).digest != digest


# Kimodo


def test_a_kimodo_csv_beside_its_npz_is_read_once(tmp_path: Path) -> None:
    save_motion(standing(50), tmp_path / "out_00.npz", format="kimodo-npz")
    save_motion(standing(50), tmp_path / "out_00.csv", format="kimodo-csv")
    save_motion(standing(50), tmp_path / "out_01.csv", format="kimodo-csv")
    motions = find_generator(f"kimodo:{tmp_path}").sample("walk", 8)
    assert len(motions) == 2
    np.testing.assert_allclose(motions[0].to_qpos(), motions[1].to_qpos(), atol=1e-4)


def test_kimodo_that_is_not_installed_is_said_with_its_command() -> None:
    with pytest.raises(GenerationError, match="kimodo_gen PROMPT .* kimodo:DIR"):
        find_generator("kimodo")


def test_an_installed_kimodo_is_called_with_a_seed_a_candidate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_motion(standing(50), tmp_path / "x.npz", format="kimodo-npz")
    arrays = dict(np.load(tmp_path / "x.npz"))
    seeds: list[int] = []
    frames: list[int] = []

    class Model:
        fps = 30.0

        def __call__(self, prompts: str, num_frames: int, steps: int, **_: Any) -> Any:
            frames.append(num_frames)
            return arrays

    kimodo: Any = types.ModuleType("kimodo")
    kimodo.__spec__ = importlib.machinery.ModuleSpec("kimodo", None)
    kimodo.load_model = lambda name, device=None: Model()
    tools: Any = types.ModuleType("kimodo.tools")
    tools.seed_everything = seeds.append
    monkeypatch.setitem(sys.modules, "kimodo", kimodo)
    monkeypatch.setitem(sys.modules, "kimodo.tools", tools)
    generator = KimodoGenerator()
    (motion, other) = generator.sample("walk", 2, seed=1, duration=4.0)
    assert frames == [120, 120] and len(set(seeds)) == 2
    assert motion == other and motion.duration == pytest.approx(0.98, abs=0.03)
    with pytest.raises(GenerationError, match="at most 10 s, got 12"):
        generator.sample("walk", 1, duration=12.0)
