"""Downloads from a server of the test's own: cut, resumed, wrong, refused."""

import errno
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.file_server import FileServer, Served
from texedo.core import download as module
from texedo.core.download import Download, DownloadError

DATA = os.urandom(300_000)
SHA256 = hashlib.sha256(DATA).hexdigest()


def fetch(server: FileServer, place: Path, **options: Any) -> Download:
    return Download(url=server.url("file"), place=place, pause=0.0, **options)


def test_a_file_arrives_whole_with_its_hash(tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    with FileServer({"file": Served(DATA)}) as server:
        place = tmp_path / "deep" / "file"
        done = fetch(server, place, progress=lambda *at: seen.append(at)).run()
    assert place.read_bytes() == DATA
    assert (done.sha256, done.size, done.checked) == (SHA256, 300_000, False)
    assert seen[-1] == (300_000, 300_000)
    assert [p.name for p in place.parent.iterdir()] == ["file"]


def test_a_cut_connection_goes_on_where_it_ended(tmp_path: Path) -> None:
    with FileServer({"file": Served(DATA, cut_after=[100_000, 50_000])}) as server:
        done = fetch(server, tmp_path / "file", sha256=SHA256).run()
    assert done.checked and (tmp_path / "file").read_bytes() == DATA
    assert server.ranges == [None, "bytes=100000-", "bytes=150000-"]


def test_what_is_left_after_too_many_cuts_is_used_by_the_next_run(
    tmp_path: Path,
) -> None:
    with FileServer({"file": Served(DATA, cut_after=[70_000, 0, 0])}) as server:
        with pytest.raises(DownloadError, match="70,000 bytes are kept"):
            fetch(server, tmp_path / "file", tries=2).run()
        assert not (tmp_path / "file").exists()
        fetch(server, tmp_path / "file").run()
    assert (tmp_path / "file").read_bytes() == DATA
    assert server.ranges[-1] == "bytes=70000-"


def test_a_server_without_ranges_sends_all_of_it_again(tmp_path: Path) -> None:
    with FileServer({"file": Served(DATA, cut_after=[99], ranges=False)}) as server:
        fetch(server, tmp_path / "file", sha256=SHA256).run()
    assert (tmp_path / "file").read_bytes() == DATA


def test_a_file_that_changed_meanwhile_is_begun_anew(tmp_path: Path) -> None:
    files = {"file": Served(b"old" * 1000, etag='"a"', cut_after=[500, 0])}
    with FileServer(files) as server:
        with pytest.raises(DownloadError):
            fetch(server, tmp_path / "file", tries=1).run()
        files["file"] = Served(DATA, etag='"b"')
        fetch(server, tmp_path / "file", sha256=SHA256).run()
    assert (tmp_path / "file").read_bytes() == DATA


def test_a_part_that_is_whole_already_is_only_checked(tmp_path: Path) -> None:
    (tmp_path / "file.part").write_bytes(DATA)
    with FileServer({"file": Served(DATA)}) as server:
        assert fetch(server, tmp_path / "file", sha256=SHA256).run().checked
    assert (tmp_path / "file").read_bytes() == DATA


def test_a_part_longer_than_the_file_is_thrown_away(tmp_path: Path) -> None:
    (tmp_path / "file.part").write_bytes(DATA + b"more")
    with FileServer({"file": Served(DATA)}) as server:
        fetch(server, tmp_path / "file", sha256=SHA256).run()
    assert (tmp_path / "file").read_bytes() == DATA


def test_a_wrong_hash_leaves_nothing(tmp_path: Path) -> None:
    with FileServer({"file": Served(DATA)}) as server:
        with pytest.raises(DownloadError, match=f"{SHA256}, and should be 000"):
            fetch(server, tmp_path / "file", sha256="0" * 64).run()
    assert list(tmp_path.iterdir()) == []


def test_the_hash_that_comes_with_a_redirection_is_checked(tmp_path: Path) -> None:
    files = {"file": Served(b"", moved_to="else", linked='"' + "1" * 64 + '"')}
    files["else"] = Served(DATA)
    with FileServer(files) as server:
        with pytest.raises(DownloadError, match="should be 1111"):
            fetch(server, tmp_path / "file").run()
        files["file"] = files["file"]._replace(linked=f'"{SHA256}"')
        assert fetch(server, tmp_path / "file").run().checked


@pytest.mark.parametrize(
    ("status", "says"),
    [(404, r"is not there \(404\)"), (403, "without a login"), (410, "410")],
)
def test_a_refusal_is_told_at_once(tmp_path: Path, status: int, says: str) -> None:
    with FileServer({"file": Served(b"", status=status)}) as server:
        with pytest.raises(DownloadError, match=says):
            fetch(server, tmp_path / "file").run()
    assert len(server.ranges) == 1


def test_a_server_in_trouble_is_asked_again(tmp_path: Path) -> None:
    with FileServer({"file": Served(DATA, troubles=2)}) as server:
        fetch(server, tmp_path / "file").run()
    assert len(server.ranges) == 3


def test_nobody_there_is_an_error_with_the_address(tmp_path: Path) -> None:
    with FileServer({}) as server:
        pass
    with pytest.raises(DownloadError, match=f"{server.url('file')}: cannot be reached"):
        fetch(server, tmp_path / "file", tries=2).run()


def test_too_little_room_is_found_before_a_byte_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type(module.shutil.disk_usage(tmp_path))(10, 9, 1)
    monkeypatch.setattr(module.shutil, "disk_usage", lambda _: usage)
    with FileServer({"file": Served(DATA)}) as server:
        with pytest.raises(DownloadError, match="300,000 bytes are still to come"):
            fetch(server, tmp_path / "file").run()
    assert not (tmp_path / "file").exists()


def test_a_disk_that_fills_up_keeps_what_arrived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    read: Callable[[Any], bytes] = module._read

    def fill(response: Any) -> bytes:
        if (tmp_path / "file.part").stat().st_size:
            raise full
        return read(response)

    monkeypatch.setattr(module, "_CHUNK", 100_000)
    monkeypatch.setattr(module, "_read", fill)
    with FileServer({"file": Served(DATA)}) as server:
        with pytest.raises(DownloadError, match="the disk is full after"):
            fetch(server, tmp_path / "file").run()
        monkeypatch.undo()
        fetch(server, tmp_path / "file", sha256=SHA256).run()
    assert server.ranges[-1] is not None
