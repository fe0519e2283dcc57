"""A folder of BVH files with captions, from its files to a corpus one can use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.data.corpus.test_build import Stub, bvh_text
from texedo.apps.cli import main
from texedo.core.errors import FileFormatError
from texedo.data.capture.bvh_folder import BvhFolder
from texedo.data.capture.dataset import WrittenCaptions
from texedo.data.capture.datasets import DATASETS, open_dataset
from texedo.data.corpus.build import BuildCfg, build_corpus
from texedo.data.corpus.duplicates import DuplicateCfg
from texedo.data.corpus.splits import SplitCfg, split_faults
from texedo.data.corpus.store import Corpus

CSV = """file,caption,start,end,subject,action
anna/stroll.bvh,she strolls along,,,anna,walk
anna/stroll,a slow walk,,,,
long,the first half,0,4,ben,
long,"the second half, as it were",4,9,ben,
"""


@pytest.fixture(scope="module")
def walks() -> dict[str, str]:
    """Walks of 3, 5 and 12 seconds by their place in the folder."""
    seconds = {"anna/stroll": 3.0, "anna/again": 5.0, "long": 12.0}
    return {name: bvh_text(length) for name, length in seconds.items()}


@pytest.fixture
def folder(tmp_path: Path, walks: dict[str, str]) -> Path:
    source = tmp_path / "source"
    (source / "anna").mkdir(parents=True)
    for name, text in walks.items():
        (source / f"{name}.bvh").write_text(text)
    (source / "captions.csv").write_text(CSV)
    return source


def test_rows_say_who_did_what_and_when(folder: Path) -> None:
    dataset = BvhFolder.open(folder)
    trials = [recording.trial for recording in dataset.recordings()]
    assert trials == ["anna_again", "anna_stroll", "long"]
    stroll, long = dataset.info("anna_stroll"), dataset.info("long")
    assert (stroll.subject, stroll.label.family) == ("anna", "walk")
    said = ("she strolls along", "a slow walk")
    assert stroll.written == (WrittenCaptions(0.0, -1.0, said),)
    assert not stroll.exact_segments
    assert long.segments == ((0.0, 4.0), (4.0, 9.0)) and long.exact_segments
    assert long.written[1].texts == ("the second half, as it were",)
    silent = dataset.info("anna_again")
    assert (silent.subject, silent.written) == ("anna_again", ())


def test_the_three_forms_say_the_same(folder: Path) -> None:
    first = BvhFolder.open(folder)
    (folder / "captions.csv").unlink()
    rows = [
        {
            "file": "stroll",
            "captions": ["she strolls along", "a slow walk"],
            "subject": "anna",
            "action": "walk",
        },
        {"file": "long.bvh", "caption": "the first half", "start": 0, "end": 4},
        {
            "file": "long",
            "captions": ["the second half, as it were"],
            "start": 4,
            "end": 9.0,
            "subject": "ben",
        },
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "captions.jsonl").write_text(lines)
    assert BvhFolder.open(folder).about == first.about
    (folder / "captions.jsonl").unlink()
    (folder / "anna" / "stroll.txt").write_text("she strolls along\n\na slow walk\n")
    (folder / "long.txt").write_text(
        "the first half##0.0#4.0\nthe second half, as it were#a/DET#4.0#9.0\n"
    )
    texts = BvhFolder.open(folder)
    for trial in ("anna_stroll", "long"):
        assert texts.info(trial).written == first.info(trial).written
    assert texts.info("long").subject == "long"


def test_clips_have_the_users_captions_and_nothing_else(
    folder: Path, tmp_path: Path
) -> None:
    corpus = build_corpus(
        BvhFolder.open(folder), tmp_path / "out", solver=Stub(), workers=1
    ).corpus
    said = {clip.id: clip.captions for clip in corpus}
    assert list(said) == ["anna_again-00", "anna_stroll-00", "long-00", "long-01"]
    assert said["anna_stroll-00"] == ("she strolls along", "a slow walk")
    assert said["long-00"] == ("the first half",)
    assert said["long-01"] == ("the second half, as it were",)
    assert len(said["anna_again-00"]) >= 3  # nobody wrote anything: generated
    long = corpus.clips[corpus.index("long-01")]
    assert (long.start, long.end, long.subject) == (4.0, 9.0, "ben")
    summary = corpus.info["summary"]
    assert summary["captions_written"] == summary["captions_written_used"] == 4
    assert corpus.info["dataset"] == "folder"


def test_generated_captions_can_be_had_instead_or_as_well(
    folder: Path, tmp_path: Path
) -> None:
    said = {}
    for source in ("generated", "both"):
        cfg = BuildCfg(captions=source)  # type: ignore[arg-type]
        dataset = BvhFolder.open(folder)
        out = tmp_path / source
        corpus = build_corpus(dataset, out, cfg=cfg, solver=Stub(), workers=1).corpus
        said[source] = corpus.clips[corpus.index("long-00")].captions
    assert said["both"] == ("the first half", *said["generated"])


def test_a_subjects_files_stay_in_one_split(tmp_path: Path) -> None:
    rows, text = ["file,caption,subject"], bvh_text(3.0)
    for i in range(12):
        # At different speeds: none of them is a copy of another.
        changed = text.replace("Frame Time: 0.0333", f"Frame Time: 0.0{333 + 40 * i}")
        (tmp_path / f"{i:02d}.bvh").write_text(changed)
        rows.append(f"{i:02d},walking,{i % 3}")
    (tmp_path / "captions.csv").write_text("\n".join(rows))
    cfg = BuildCfg(
        splits=SplitCfg(seed=4, test=0.4, val=0.3),
        duplicates=DuplicateCfg(tolerance=1e-9),
    )
    dataset = BvhFolder.open(tmp_path)
    out = tmp_path / "out"
    corpus = build_corpus(dataset, out, cfg=cfg, solver=Stub(), workers=1).corpus
    splits: dict[str, set[str]] = {}
    for clip in corpus:
        splits.setdefault(clip.subject, set()).add(clip.split)
    # By the hash of the first file of each: 00, 01 and 02.
    assert splits == {"0": {"train"}, "1": {"val"}, "2": {"test"}}
    assert split_faults(corpus) == []


def refused(folder: Path, name: str, text: str) -> str:
    for old in ("captions.csv", "captions.jsonl"):
        (folder / old).unlink(missing_ok=True)
    (folder / name).write_text(text)
    with pytest.raises(FileFormatError) as error:
        BvhFolder.open(folder)
    return str(error.value)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("file,caption\nlong,hi\nshort,hi", "line 3: there is no BVH file 'short'"),
        ("file,caption\nlong,", "line 2: it has no caption"),
        ("file,text\nlong,hi", "line 1: the first line names the columns"),
        ("file,caption\nlong,one, two", "line 2: more fields than columns"),
        ("file,caption,start,end\nlong,hi,3,2", "line 2: start 3 and end 2"),
        ("file,caption,start,end\nlong,hi,0,12", "line 2: 0 to 12 s is 12 s"),
        ("file,caption,start\nlong,hi,soon", "line 2: 'soon' is no time"),
        ("file,caption,subject\nlong,a,x\nlong,b,y", "line 3: subject 'y', but 'x' in"),
    ],
)
def test_a_wrong_row_is_named_with_its_line(
    folder: Path, rows: str, message: str
) -> None:
    text = refused(folder, "captions.csv", rows)
    assert message in text and "captions.csv" in text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1: no JSON"),
        ("[1]", "line 1: a line is an object"),
        ('{"file": "long", "captions": "hi"}', "line 1: captions is a list"),
        ('{"file": "long", "caption": "hi", "mood": 1}', "line 1: 'mood' is none of"),
        ('{"caption": "hi"}', "line 1: it names no file"),
    ],
)
def test_a_wrong_object_is_named_with_its_line(
    folder: Path, line: str, message: str
) -> None:
    assert message in refused(folder, "captions.jsonl", line)


def test_a_folder_without_captions_says_how_to_write_them(folder: Path) -> None:
    (folder / "captions.csv").unlink()
    with pytest.raises(FileFormatError, match=r"no captions: write captions\.csv"):
        BvhFolder.open(folder)


def test_two_lists_two_files_of_a_name_and_no_file_are_refused(folder: Path) -> None:
    (folder / "captions.jsonl").write_text("")
    with pytest.raises(FileFormatError, match="keep one of them"):
        BvhFolder.open(folder)
    (folder / "captions.jsonl").unlink()
    (folder / "ben").mkdir()
    (folder / "ben" / "stroll.bvh").write_text("")
    (folder / "captions.csv").write_text("file,caption\nstroll,hi\n")
    with pytest.raises(FileFormatError, match="line 2: several files are called"):
        BvhFolder.open(folder)
    (folder / "anna_stroll.bvh").write_text("")
    with pytest.raises(FileFormatError, match="would both be called anna_stroll"):
        BvhFolder.open(folder)
    with pytest.raises(FileFormatError, match=r"holds no \.bvh file"):
        BvhFolder.open(_empty(folder / "none"))


def _empty(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_a_database_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(FileFormatError, match="'kit' is no source database"):
        open_dataset("kit", Path())
    assert list(DATASETS) == ["cmu", "folder"]


def test_a_new_caption_or_name_makes_the_folder_another(folder: Path) -> None:
    before = BvhFolder.open(folder).fingerprint()
    (folder / "anna").rename(folder / "anne")
    (folder / "captions.csv").write_text(CSV.replace("anna/", "anne/"))
    assert BvhFolder.open(folder).fingerprint() != before


def test_from_a_folder_to_a_corpus_a_report_and_an_export(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands as a user types them, with the real retargeting."""
    out = tmp_path / "corpus"
    build = ["data", "build", "folder", "--source", str(folder), "--out", str(out)]
    assert main([*build, "--captured-only", "--workers", "1"]) == 0
    assert "written captions used" in capsys.readouterr().out
    corpus = Corpus.load(out)
    said = {text for clip in corpus for text in clip.captions}
    assert {"she strolls along", "the first half"} <= said
    assert main([*build, "--captured-only", "--workers", "1"]) == 0
    assert "is up to date" in " ".join(capsys.readouterr().out.split())
    page = tmp_path / "report.html"
    report = ["data", "report", str(out), "-o", str(page), "--sheets", "1"]
    assert main(report) == 0 and page.stat().st_size > 10_000
    dataset = tmp_path / "dataset"
    assert main(["data", "export", str(out), "-o", str(dataset)]) == 0
    texts = "".join(path.read_text() for path in dataset.rglob("*.txt"))
    assert "the second half, as it were" in texts
