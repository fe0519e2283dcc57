"""What is installed, as its own files say."""

from pathlib import Path

import numpy as np

from texedo.checkpoints.artifact import write_artifact
from texedo.checkpoints.inventory import bundled_models, missing_parts

CARD = """# The tracker that ships

It walks. See `docs`.

- Weak at: everything
  else.
- Licence: MIT; parts of it
  are older.
- Other: x
"""


def model(root: Path, name: str, **config: object) -> Path:
    folder = root / name
    write_artifact(
        folder, kind="texedo-tracker", config=config, tensors={"w": np.zeros(3)}
    )
    return folder


def test_card_licence_size_and_quality_are_told(tmp_path: Path) -> None:
    found = {"evaluation": {"success": 0.97, "e_mpjpe": 23.8, "note": "x"}}
    folder = model(tmp_path, "tracker", metadata=found)
    (folder / "README.md").write_text(CARD)
    (one,) = bundled_models(tmp_path)
    assert (one.name, one.kind) == ("tracker", "texedo-tracker")
    assert one.about == "It walks."
    assert one.licence == "MIT; parts of it are older"
    assert one.quality == {"success": 0.97, "E_mpjpe mm": 23.8}
    assert one.size == sum(path.stat().st_size for path in folder.iterdir())
    assert one.intact


def test_a_licence_may_stand_in_a_line_of_its_own(tmp_path: Path) -> None:
    folder = model(tmp_path, "tracker")
    (folder / "README.md").write_text("# It\n\nIt walks.\nLicence: MIT.\n")
    assert bundled_models(tmp_path)[0].licence == "MIT"


def test_weights_that_were_changed_are_told(tmp_path: Path) -> None:
    folder = model(tmp_path, "tracker")
    with open(folder / "weights.safetensors", "ab") as weights:
        weights.write(b"x")
    assert not bundled_models(tmp_path)[0].intact


def test_a_part_of_a_model_has_its_card(tmp_path: Path) -> None:
    model(tmp_path, "generator/text_encoder")
    outer = model(tmp_path, "generator")
    (outer / "README.md").write_text(CARD)
    names = [(one.name, one.about) for one in bundled_models(tmp_path)]
    assert names == [
        ("generator", "It walks."),
        ("generator/text_encoder", "It walks."),
    ]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    model(tmp_path, "tracker")
    assert "tracker" not in missing_parts(tmp_path)
    assert {"generator", "dynamics"} <= set(missing_parts(tmp_path))


def test_every_model_that_ships_has_a_card_and_a_licence() -> None:
    for one in bundled_models():
        assert one.intact and one.about and one.licence, one.name
