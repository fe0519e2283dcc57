"""`texedo generate` with robots that stand, in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.generators import StandingGenerator
from tests.support.standing import stiff
from texedo.apps.generate import command as app
from texedo.pipeline import find as find_module
from texedo.text.generators.protocol import Generator
from texedo.tracker.policies.open_loop import OpenLoopPolicy
from texedo.tracker.policies.protocol import Policy


@pytest.fixture
def generator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> StandingGenerator:
    """Robots that stand; `--tracker weak` is one that falls."""
    made = StandingGenerator()

    def find(which: str, **_: object) -> Generator:
        return made

    def policy(which: str) -> Policy:
        return OpenLoopPolicy() if which == "weak" else stiff()

    monkeypatch.setattr(app, "find_generator", find)
    monkeypatch.setattr("texedo.tracker.policies.find.find_policy", policy)
    monkeypatch.setattr(find_module, "has_semantics", lambda: False)
    monkeypatch.setattr(find_module, "has_dynamics", lambda: False)
    monkeypatch.chdir(tmp_path)
    return made
