# From a bare Python 3.11: `make demo` shows what works, `make test` proves it. Both set
# up .venv first; a second run installs again only if the requirements changed.
#
# Without a GPU, spare yourself gigabytes of CUDA:
#   export PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
OUT    ?= out/demo

# One numeric thread per process: the tests and the simulator bring their own parallelism.
# Tests that compile the same kernels share a worker (loadgroup).
export OMP_NUM_THREADS ?= 1
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadgroup

.PHONY: help demo test sync lint format type arch test-fast test-slow wheel-test bench clean
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

demo: $(READY) ## a sentence becomes a motion, performed in physics; see out/demo
	$(BIN)/texedo demo --out $(OUT)

test: lint type arch test-fast ## everything that must pass before a merge (minutes)

sync: $(READY) ## create or update .venv

lint: $(READY) ## ruff, without changing anything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(READY) ## let ruff rewrite what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

type: $(READY) ## mypy, strict
	$(BIN)/mypy

arch: $(READY) ## imports flow down only
	$(BIN)/lint-imports --no-logo

test-fast: $(READY) ## the fast tests alone
	$(PYTEST)

test-slow: $(READY) ## the tests marked slow
	$(PYTEST) -m "slow and not gpu"

wheel-test: $(READY) ## build the wheel, generate from it in an empty environment
	.ci/wheel-test $(BIN)/python

bench: $(READY) ## time what has a time limit; reports on a corpus are run by hand
	@for script in kinematics.py collision.py postprocess.py rollout.py "generation.py cpu"; do \
	  echo "== $$script"; $(BIN)/python benchmarks/$$script || exit 1; done

clean: ## remove caches and outputs, keep .venv
	rm -rf out dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache \
	  .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" && "$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "error: Texedo needs Python 3.11 or newer; '$(PYTHON)' is not." \
	       "Name one: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { rm -rf $(VENV); "$(PYTHON)" -m venv $(VENV); } \
	  || { rm -rf $(VENV); echo "error: $(PYTHON) cannot make a virtual environment." \
	       "On Debian or Ubuntu: sudo apt install python3.11-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	@touch $@
