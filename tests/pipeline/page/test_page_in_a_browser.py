"""`report.html` opened and clicked through in Chromium, without a window or a network."""

from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.support.accounts import account, candidate, five, unknown
from tests.support.browser import NAMES, Page, browser, find_chrome
from texedo.pipeline.page import report_html
from texedo.robot.kinematics import motion_kinematics

pytestmark = [
    pytest.mark.skipif(
        find_chrome() is None,
        reason=f"no Chromium here: install one of {', '.join(NAMES)}, "
        "or set TEXEDO_CHROME to its path",
    ),
    pytest.mark.xdist_group("browser"),
]

EVIL = "</script><b id=evil>bold</b><img src=x onerror='window.evil=1'>"
NO_WEBGL = """
const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return kind.startsWith("webgl") ? null : get.call(this, kind, ...rest);
};"""


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    probe = tmp_path_factory.mktemp("probe") / "probe.html"
    probe.write_text("<title>readable</title>")
    with ExitStack() as stack:
        try:
            page = stack.enter_context(browser(tmp_path_factory.mktemp("profile")))
            page.open(probe)
            assert page.evaluate("document.title") == "readable"
        except (AssertionError, OSError) as error:
            # One that is packed in a box of its own may not see temporary folders.
            pytest.skip(f"{find_chrome()} does not work here: {error}")
        yield page


@pytest.fixture
def report(chrome: Page, tmp_path: Path) -> Iterator[Page]:
    """The page of five candidates, at rest; in the end it has complained of nothing."""
    path = tmp_path / "report.html"
    path.write_text(report_html(account(prompt=EVIL)), encoding="utf-8")
    chrome.open(path)
    rest(chrome)
    yield chrome
    assert chrome.problems == []
    assert chrome.requests == [path.as_uri()]


def rest(page: Page) -> None:
    """Stop the motion, which starts by itself."""
    page.wait("window.texedo && document.querySelector('#strips canvas')")
    if page.evaluate("document.querySelector('#play').textContent") == "Pause":
        page.click("#play")


def scene_at(page: Page, seconds: float) -> NDArray[np.int16]:
    """A picture of the player at a time, always from the same place on the screen."""
    page.evaluate("document.querySelector('#scene').scrollIntoView({block: 'center'})")
    page.evaluate(f"texedo.seek({seconds})")
    shown = f"document.querySelector('#time').textContent.startsWith('{seconds:.2f}')"
    page.wait(shown)
    # The picture is on the screen after the frame that follows the one that drew it.
    page.evaluate(
        "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))"
    )
    picture = Image.open(BytesIO(page.picture("#scene"))).convert("RGB")
    return np.asarray(picture, dtype=np.int16)


def changed(one: NDArray[np.int16], other: NDArray[np.int16]) -> bool:
    """Whether more than one pixel in 500 is another colour."""
    return bool((np.abs(one - other).max(axis=-1) > 30).mean() > 0.002)


def column(page: Page, name: str) -> list[str]:
    found: list[str] = page.evaluate(
        "(() => { const t = document.querySelector('#candidates');"
        f"const k = [...t.tHead.rows[0].cells].findIndex(c => c.textContent === '{name}');"
        "return [...t.tBodies[0].rows].map(r => r.cells[k].textContent); })()"
    )
    return found


def press_column(page: Page, name: str) -> None:
    page.evaluate(
        "[...document.querySelectorAll('#candidates th button')]"
        f".find(b => b.textContent === '{name}').id = 'pressed'"
    )
    page.click("#pressed")
    page.evaluate("document.querySelector('#pressed').removeAttribute('id')")


def test_a_prompt_that_looks_like_a_page_is_only_read(report: Page) -> None:
    assert report.evaluate("document.querySelector('h1').textContent") == EVIL
    assert report.evaluate("document.title") == EVIL
    assert report.evaluate("document.querySelector('#evil')") is None
    assert report.evaluate("window.evil") is None


def test_the_robot_stands_where_our_kinematics_have_it(report: Page) -> None:
    for one in five()[:2]:
        poses = motion_kinematics(one.motion)
        for frame in (0, 50, 119):
            found = report.evaluate(f"texedo.bodies({one.index}, {frame / 50})")
            assert np.abs(found["places"] - poses.pos_w[frame]).max() < 1e-3
            # A quaternion and its negative are one rotation.
            same = np.abs((found["turns"] * poses.quat_w[frame]).sum(axis=-1))
            assert same.min() > 1 - 1e-6


def test_a_click_on_a_point_shows_that_candidate(report: Page) -> None:
    heading = "document.querySelector('#shown').textContent"
    mark = "document.querySelector('#risk .mark').textContent"
    assert report.evaluate(heading) == "Candidate 1: chosen"
    assert "1.0 s" in report.evaluate(mark)
    report.click("#scatter [data-candidate='3']")
    assert report.evaluate(heading) == "Candidate 3: R_dyn too low"
    assert report.evaluate("texedo.shown()") == 3
    assert report.evaluate("document.querySelector('#pick').value") == "3"
    assert "1.4 s" in report.evaluate(mark)
    said = "Reason of candidate 3."
    assert report.evaluate("document.querySelector('#reason').textContent") == said
    rows = "[...document.querySelectorAll('tr.shown')].map(r => r.dataset.candidate)"
    assert report.evaluate(rows) == ["3"]


def test_a_click_into_table_strip_or_risk_leads_there_too(report: Page) -> None:
    report.click("#candidates tr[data-candidate='4'] button")
    assert report.evaluate("texedo.shown()") == 4
    report.click("#strips figure:nth-child(2) button")
    assert report.evaluate("texedo.shown()") == 2
    report.click("#risk svg")  # Its middle is past the middle of 2.38 s: axes are left.
    assert 1.1 < report.evaluate("texedo.seconds()") < 1.3


@pytest.mark.parametrize("drawing", ["lines", "solid"])
def test_the_player_moves(report: Page, drawing: str) -> None:
    report.evaluate(
        f"(() => {{ const s = document.querySelector('#drawing'); s.value = '{drawing}';"
        "s.dispatchEvent(new Event('change')); })()"
    )
    assert report.evaluate("document.querySelector('#drawing').value") == drawing
    first, second = scene_at(report, 0.2), scene_at(report, 1.6)
    assert changed(first, second)
    assert not changed(scene_at(report, 0.2), first)  # At rest nothing else changes it.
    report.evaluate("texedo.show(4)")
    assert changed(scene_at(report, 0.2), first)


def test_it_plays_and_pauses(report: Page) -> None:
    report.evaluate("texedo.seek(0)")
    report.click("#play")
    report.wait("texedo.seconds() > 0.2")
    report.click("#play")
    stopped = report.evaluate("texedo.seconds()")
    report.evaluate("new Promise(r => setTimeout(r, 120))")
    assert report.evaluate("texedo.seconds()") == stopped


def test_the_camera_is_turned_with_the_mouse(report: Page) -> None:
    before = scene_at(report, 0.5)
    x, y = report.evaluate(
        "(() => { document.querySelector('#scene').scrollIntoView({block: 'center'});"
        "const b = document.querySelector('#scene').getBoundingClientRect();"
        "return [b.x + b.width / 2, b.y + b.height / 2]; })()"
    )
    for kind, dx in (("mousePressed", 0), ("mouseMoved", 90), ("mouseReleased", 90)):
        report.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x + dx,
            y=y,
            button="left",
            buttons=1,
            clickCount=1,
        )
    assert changed(scene_at(report, 0.5), before)
    report.click("#home")
    assert not changed(scene_at(report, 0.5), before)


def test_it_works_from_the_keyboard(report: Page) -> None:
    report.evaluate("document.querySelector('#scatter [tabindex=\"0\"]').focus()")
    report.press("ArrowLeft", 37)  # By R_text: from 0.9 to 0.8.
    assert report.evaluate("texedo.shown()") == 3
    assert report.evaluate("document.activeElement.dataset.candidate") == "3"
    report.evaluate("document.activeElement.blur()")
    report.press("n", 78, "n")
    assert report.evaluate("texedo.shown()") == 4
    report.press(" ", 32, " ")
    report.wait("document.querySelector('#play').textContent === 'Pause'")
    report.press(" ", 32, " ")
    assert report.evaluate("document.querySelector('#play').textContent") == "Play"


def test_the_table_is_sorted_by_the_column_that_is_pressed(report: Page) -> None:
    assert column(report, "candidate") == ["1", "2", "0", "4", "3"]
    press_column(report, "R_dyn")
    assert column(report, "candidate") == ["4", "0", "1", "2", "3"]
    press_column(report, "R_dyn")
    assert column(report, "candidate") == ["3", "2", "1", "0", "4"]
    # Only one was performed: the others stay below it, whichever way.
    press_column(report, "E_mpjpe")
    assert column(report, "candidate")[0] == "1"
    press_column(report, "E_mpjpe")
    assert column(report, "candidate")[0] == "1"
    head = "document.querySelector('th[aria-sort]').getAttribute('aria-sort')"
    assert report.evaluate(head) == "descending"


def test_it_is_dark_for_who_wants_it_dark(report: Page) -> None:
    back = "getComputedStyle(document.body).backgroundColor"
    assert report.evaluate(back) == "rgb(243, 245, 247)"
    scene = scene_at(report, 0.5)
    for scheme in ("dark", "light"):
        wanted = {"name": "prefers-color-scheme", "value": scheme}
        report.call("Emulation.setEmulatedMedia", features=[wanted])
        if scheme == "dark":
            assert report.evaluate(back) == "rgb(16, 20, 25)"
            assert changed(scene_at(report, 0.5), scene)


def test_where_nobody_knows_anything_it_still_plays(
    chrome: Page, tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    nothing = account(
        candidates=(unknown(0), unknown(1)),
        chosen=1,
        runners_up=(),
        threshold=float("nan"),
    )
    path.write_text(report_html(nothing), encoding="utf-8")
    chrome.open(path)
    rest(chrome)
    assert "Nobody foresaw" in chrome.evaluate(
        "document.querySelector('#risk').textContent"
    )
    chrome.click("#next")
    assert chrome.evaluate("texedo.shown()") == 0
    assert changed(scene_at(chrome, 0.1), scene_at(chrome, 1.0))
    assert chrome.problems == []


def test_without_webgl_the_robot_is_drawn_with_lines(
    chrome: Page, tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    path.write_text(report_html(account(candidates=(*five()[:4], candidate(4)))))
    chrome.open(path, before=NO_WEBGL)
    rest(chrome)
    chrome.evaluate(
        "(() => { const s = document.querySelector('#drawing'); s.value = 'solid';"
        "s.dispatchEvent(new Event('change')); })()"
    )
    assert chrome.evaluate("document.querySelector('#drawing').value") == "lines"
    hint = chrome.evaluate("document.querySelector('#hint').textContent")
    assert hint.startswith("This browser has no WebGL")
    assert changed(scene_at(chrome, 0.2), scene_at(chrome, 1.6))
    assert chrome.problems == []
