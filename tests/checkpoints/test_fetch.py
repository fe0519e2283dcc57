"""Released weights from a server of the test's own."""

import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from tests.support.file_server import FileServer, Served
from texedo.checkpoints.fetch import (
    fetch_part,
    file_url,
    hash_file,
    released_models,
    released_parts,
)
from texedo.checkpoints.registry import RELEASED, released_file
from texedo.core.download import DownloadError
from texedo.core.errors import CheckpointError

SCALES = "JianuoCao/TEXEDO-Checkpoint/resolve/main/verifiers/dynamic/norm_stats.npz"
GLOVE = "JianuoCao/TEXEDO-Checkpoint/resolve/main/glove/glove.tar.gz"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TEXEDO_HOME", str(tmp_path))
    return tmp_path / "official"


def archive(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def test_a_model_is_its_parts_and_a_part_itself() -> None:
    assert released_parts("official-generator") == ("generator", "words")
    assert released_parts("glove") == ("glove",)
    with pytest.raises(CheckpointError, match="'x'; there are official-generator"):
        released_parts("x")


def test_addresses_are_those_of_the_hub() -> None:
    assert file_url(RELEASED["generator"]) == (
        "https://huggingface.co/JianuoCao/TEXEDO-Checkpoint/resolve/main/"
        "generator/epoch%3D489.ckpt"
    )
    with pytest.raises(CheckpointError, match="--url must be an address"):
        file_url(RELEASED["generator"], "ftp://x")


def test_a_fetched_file_is_found_and_known_again(home: Path) -> None:
    with FileServer({SCALES: Served(b"scales")}) as server:
        first = fetch_part("dynamic-scales", base=server.url())
        again = fetch_part("dynamic-scales", base=server.url())
    assert released_file("dynamic-scales") == first.place
    assert first.place == home / "verifiers/dynamic/norm_stats.npz"
    assert (first.new, again.new) == (True, False)
    assert (first.checked, again.checked) == (False, True)
    assert len(server.ranges) == 1
    digest = hashlib.sha256(b"scales").hexdigest()
    assert hash_file(first.place).read_text() == f"{digest}  norm_stats.npz\n"


def test_a_file_that_was_changed_is_refused(home: Path) -> None:
    with FileServer({SCALES: Served(b"scales")}) as server:
        place = fetch_part("dynamic-scales", base=server.url()).place
    place.write_bytes(b"other")
    with pytest.raises(CheckpointError, match="remove it and fetch it again"):
        fetch_part("dynamic-scales")


def test_an_archive_is_unpacked_where_it_lies(home: Path) -> None:
    with FileServer(
        {GLOVE: Served(archive({"words": b"w", "deep/data": b"d"}))}
    ) as server:
        fetch_part("glove", base=server.url())
    assert (home / "glove/words").read_bytes() == b"w"
    assert (home / "glove/deep/data").read_bytes() == b"d"


def test_an_archive_may_not_lead_out_of_its_folder(home: Path) -> None:
    with FileServer({GLOVE: Served(archive({"../evil": b"x"}))}) as server:
        with pytest.raises(DownloadError, match="cannot be unpacked"):
            fetch_part("glove", base=server.url())
    assert not (home / "evil").exists()


def test_what_is_there_of_the_release_is_listed() -> None:
    with FileServer({SCALES: Served(b"scales")}) as server:
        fetch_part("dynamic-scales", base=server.url())
    rows = {row.name: row for row in released_models()}
    assert rows["official-dynamics"].missing == ("dynamic-verifier",)
    assert [p.name for p in rows["official-dynamics"].there] == ["norm_stats.npz"]
    assert rows["official-generator"].missing == ("generator", "words")
