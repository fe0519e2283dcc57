"""What `report.html` says, read as text."""

import base64
import json
import re
import time
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from tests.support.accounts import account, candidate, five, unknown
from tests.support.motions import random_motion
from texedo.pipeline.account import Performance
from texedo.pipeline.page import report_html
from texedo.pipeline.page.document import SCRIPTS
from texedo.pipeline.page.figures import facts, number, share
from texedo.pipeline.page.poses import MOST_BYTES, pack_poses, stride_for
from texedo.pipeline.page.scatter import axis_for, scatter
from texedo.pipeline.page.shape import robot_shape
from texedo.pipeline.page.tables import candidate_table

NAN = float("nan")
EVIL = "</script><b onclick=x()>bold</b> & <img src=x onerror=alert(1)> \u2028 \"'"


class Reader(HTMLParser):
    """Which elements there are, and the text outside of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.data = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.data = self.data or data
        elif self.cdata_elem is None:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def data_of(page: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Reader(page).data)
    return found


def test_the_page_tells_prompt_choice_settings_hashes_and_seconds() -> None:
    text = Reader(report_html(account(remarks=("A remark.",)))).text
    for said in (
        "a person waves",
        "Candidate 1 . Highest R_text among 4 that pass.",
        "Not chosen: 4 of 5: 3 lower R_text, 1 R_dyn not above 0.8.",
        "A remark.",
        "sampling: top k 200",
        "sampling: duration not given",
        "ab" * 32,
        "sample 1.23 s",
        "texedo 1.2.3",
        "threshold 0.8",
    ):
        assert said in text


def test_a_setting_that_the_request_repeats_stands_once() -> None:
    request = {"prompt": "a person waves", "rule": "texedo", "threshold": 0.8}
    page = report_html(account(settings=request))
    names = re.findall(r'<th scope="row">(.*?)</th>', page)
    assert names == ["rule", "threshold", "texedo", "sample", "dynamics"]


def test_how_a_prompt_was_read_is_told_only_if_it_was_changed() -> None:
    assert "Read as" not in report_html(account())
    text = Reader(report_html(account(read_as="a person waves a hand"))).text
    assert "Read as: a person waves a hand" in text


def test_a_guarantee_is_told_of_a_winner_that_it_covers() -> None:
    promise = {"max_failure": 0.005, "threshold": 0.8, "n": 1000, "level": 0.95}
    said = "At most 0.5 % of the motions"
    assert said in report_html(account(guarantee=promise))
    assert said not in report_html(account(guarantee=promise, threshold=0.93))


def test_texts_of_users_stay_texts() -> None:
    evil = account(
        prompt=EVIL,
        read_as=EVIL + "2",
        remarks=(EVIL,),
        why=EVIL,
        rejected={EVIL: 1},
        settings={EVIL: EVIL},
        weights={EVIL: EVIL},
        candidates=(candidate(0, reason=EVIL, expected_limb=EVIL), *five()[1:]),
    )
    page = report_html(evil)
    reader, plain = Reader(page), Reader(report_html(account(read_as="x", remarks="y")))
    # As many elements of each kind as in a page with harmless texts.
    for tag in ("script", "b", "img"):
        assert reader.tags.count(tag) == plain.tags.count(tag)
    assert EVIL.split()[0] in reader.text
    assert data_of(page)["candidates"][0]["reason"] == EVIL
    assert "<" not in reader.data and ">" not in reader.data


def test_the_page_names_no_address() -> None:
    page = report_html(account())
    found = set(re.findall(r"[a-z]+://[^\s\"'`)]+", page))
    assert found == {"http://www.w3.org/2000/svg"}  # A name, which nobody looks up.
    assert "import(" not in page and "fetch(" not in page
    assert "default-src 'none'" in page


def test_the_same_account_gives_the_same_page() -> None:
    assert report_html(account()) == report_html(account())


def test_32_candidates_of_five_seconds_take_half_a_second_and_a_megabyte() -> None:
    many = tuple(candidate(i, frames=251) for i in range(32))
    told = account(candidates=many)
    start = time.process_time()
    page = report_html(told)
    assert time.process_time() - start < 0.5
    assert len(page.encode()) < 1_000_000


def test_where_nobody_knows_anything_the_page_says_so() -> None:
    nothing = account(
        candidates=(unknown(0), unknown(1)),
        runners_up=(),
        rejected={},
        threshold=NAN,
        settings={},
        weights={},
        seconds={},
        version="",
    )
    page = report_html(nothing)
    text = Reader(page).text
    assert "Nobody gave these candidates R_text or R_dyn." in text
    assert "No candidate was performed." in text
    assert "Known of no candidate: R_text, R_dyn, finishes" in text
    assert "nan" not in Reader(page).data.lower()
    assert data_of(page)["candidates"][0]["risk"] is None


def test_a_single_unknown_figure_is_a_dash_that_sorts_last() -> None:
    page = report_html(account(candidates=(candidate(0, r_text=NAN), *five()[1:])))
    row = re.search(r'<tr data-candidate="0">(.*?)</tr>', page)
    assert row and 'data-value="" title="unknown">\N{EN DASH}' in row[1]


def test_the_table_has_the_choice_first_and_the_infeasible_last() -> None:
    page = report_html(account())
    assert re.findall(r'<tr data-candidate="(\d)"', page) == ["1", "2", "0", "4", "3"]


def test_what_is_told_of_a_candidate_that_was_performed() -> None:
    facts = dict(data_of(report_html(account()))["candidates"][1]["facts"])
    assert facts["R_text"] == "0.900" and facts["R_dyn"] == "0.900"
    assert facts["expected to finish"] == "97 %"
    assert facts["most likely cause of a fall"] == "right foot height"
    assert facts["in physics"] == "performed to the end"
    assert facts["perturbed robots finished"] == "75 % of 4"
    assert facts["E_mpjpe"] == "31.5 mm"


def test_a_fall_in_physics_is_marked_where_it_happened() -> None:
    fell = Performance(success=False, seconds=1.2)
    page = report_html(account(candidates=(candidate(0, performed=fell), *five()[1:])))
    shown = data_of(page)["candidates"][0]
    assert shown["fell"] == 1.2
    assert dict(shown["facts"])["in physics"] == "fails at 1.20 s"


def test_the_riskiest_second_is_told_with_its_chance() -> None:
    risk = data_of(report_html(account()))["candidates"][2]["risk"]
    # 25 frames of 1 % and 25 of 0.01 %: 1 - 0.99^25 0.9999^25 = 22.4 %.
    assert risk["said"] == "1.2 s: 22 %, right foot height"
    values = np.frombuffer(base64.b64decode(risk["near"]), "<u2") / 65535
    assert len(values) == 120 and values.max() == pytest.approx(0.2242, abs=1e-3)


def test_points_above_the_threshold_lie_above_its_line() -> None:
    picture = scatter(account())
    line = float(re.findall(r'class="threshold".*? y1="([\d.]+)"', picture)[0])
    points = re.findall(
        r'class="point (\w+).*?data-candidate="(\d)".*?cx="([\d.]+)" cy="([\d.]+)"',
        picture,
    )
    assert len(points) == 5
    for kind, index, _, y in points:
        assert (float(y) < line) == (index != "3")
        assert kind == ("ring" if index == "3" else "disc")
    # R_text 0.2, 0.5, 0.7, 0.8, 0.9 from left to right.
    order = sorted(points, key=lambda point: float(point[2]))
    assert [index for _, index, _, _ in order] == ["4", "0", "2", "3", "1"]


def test_a_threshold_may_be_of_the_chance_to_finish() -> None:
    sure = (candidate(0, success=0.99), candidate(1), candidate(2, success=0.98))
    told = account(candidates=sure, filters_by="success", threshold=0.975)
    picture = scatter(told)
    assert ">chance to finish: will the robot manage it<" in picture
    kinds = re.findall(r'class="point (\w+).*?data-candidate="(\d)"', picture)
    assert {index: kind for kind, index in kinds} == {
        "0": "disc",
        "1": "ring",
        "2": "disc",
    }
    assert "Disc: chance to finish above the threshold" in report_html(told)


def test_a_point_without_r_dyn_has_a_margin_of_its_own() -> None:
    picture = scatter(account(candidates=(candidate(0, r_dyn=NAN), *five()[1:])))
    assert "R_dyn is unknown" in picture
    assert "R_text is unknown" not in picture


def test_an_axis_is_as_narrow_as_its_values_and_never_beyond_one() -> None:
    axis = axis_for([0.98, 0.99, 1.0], 0.0, 100.0)
    assert axis.low == pytest.approx(0.978) and axis.high == 1.0
    assert axis.at(axis.low) == 0.0 and axis.at(1.0) == 100.0
    assert axis.marks() == pytest.approx([0.98, 0.985, 0.99, 0.995, 1.0])


def test_packed_poses_are_the_poses() -> None:
    qpos = random_motion(3, 101).to_qpos()
    packed = pack_poses(qpos, 2)
    numbers = np.frombuffer(base64.b64decode(packed["poses"]), "<i2").reshape(-1, 36)
    scale = np.full(36, packed["angle"] / 32767)
    scale[:3] = packed["reach"] / 32767
    assert np.abs(numbers * scale - qpos[::2]).max() < 1e-4


def test_the_last_frame_is_kept_whatever_the_stride() -> None:
    qpos = random_motion(3, 100).to_qpos()
    packed = pack_poses(qpos, 4)
    numbers = np.frombuffer(base64.b64decode(packed["poses"]), "<i2").reshape(-1, 36)
    assert len(numbers) == 26  # 0, 4, ..., 96, and 99.
    assert np.abs(numbers[-1, 7:] * (4 / 32767) - qpos[-1, 7:]).max() < 1e-4


def test_a_simulation_that_blew_up_leaves_its_last_good_pose() -> None:
    qpos = random_motion(3, 10).to_qpos().astype(np.float64)
    qpos[6:] = np.nan
    packed = pack_poses(qpos, 2)
    numbers = np.frombuffer(base64.b64decode(packed["poses"]), "<i2").reshape(-1, 36)
    assert (numbers[3:] == numbers[2]).all()


def test_many_candidates_are_kept_at_fewer_frames_a_second() -> None:
    assert stride_for([251] * 32) == 2
    # 320 candidates of 127 frames of 96 characters are 3.9 MB, of 85 frames 2.6 MB.
    assert 320 * 127 * 96 > MOST_BYTES > 320 * 85 * 96
    assert stride_for([251] * 320) == 3
    assert stride_for([1001] * 256) == 5


def test_shares_near_an_end_are_not_rounded_to_it() -> None:
    assert share(0.94) == "94 %" and share(1.0) == "100 %" and share(0.0) == "0 %"
    assert share(0.996) == "99.6 %" and share(0.99999) == "> 99.9 %"
    assert share(0.004) == "0.4 %" and share(1e-6) == "< 0.1 %"
    assert share(NAN) == number(NAN) == "\N{EN DASH}"


def test_the_robot_of_the_page_has_every_link_and_shape() -> None:
    robot = robot_shape()
    assert len(robot["links"]) == 29
    assert {row[0] for row in robot["shapes"]} == set(range(30))
    assert {row[1] for row in robot["shapes"]} == {"ball", "drum", "box"}


def test_every_script_is_on_the_page() -> None:
    from importlib.resources import files

    folder = files("texedo.pipeline.page") / "assets"
    names = {item.name for item in folder.iterdir()}
    assert names == {*SCRIPTS, "page.css"}
    for item in folder.iterdir():
        text = item.read_text(encoding="utf-8")
        assert text.count("\n") <= 400
        # Either would end the element that it stands in.
        assert "</script" not in text and "</style" not in text


def test_how_a_candidate_came_to_be_is_told_where_it_was_not_simply_drawn() -> None:
    plain, edited = candidate(0), candidate(1, edited="candidate 0, 0.75 times as fast")
    asked = candidate(2, asked_as="a person squats <twice>")
    page = candidate_table(account(candidates=(plain, edited, asked), chosen=0))
    assert "candidate 0, 0.75 times as fast" in page and "squats &lt;twice&gt;" in page
    assert ">from<" in page
    drawn = candidate_table(account(candidates=(plain,), chosen=0, runners_up=()))
    assert ">from<" not in drawn
    assert ("from", "candidate 0, 0.75 times as fast") in facts(edited)
