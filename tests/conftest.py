"""Before any test."""

import contextlib
import importlib

# Tests of one process draw and learn in any order; see `texedo.robot.render.gl`.
with contextlib.suppress(Exception):
    importlib.import_module("triton")
