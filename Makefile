# Two commands: `make play` and `make test`. Everything is set up on the first call; later calls start at once.
PYTHON ?= python3
SOURCE ?=
PORT   ?= 8000
VENV   := .venv
BIN    := $(VENV)/bin
ROOT   := $(if $(filter 0,$(shell id -u)),,sudo -n)

.PHONY: play test check lock clean

play: .stamps/run
	$(BIN)/companion play $(SOURCE) --port $(PORT)

test: .stamps/dev .stamps/browser
	$(BIN)/python -m pytest

check: .stamps/dev
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml -o requirements/run.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --extra dev --extra cluster pyproject.toml -o requirements/dev.lock

clean:
	rm -rf $(VENV) .stamps

$(BIN)/pip:
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { $(ROOT) apt-get update -qq && $(ROOT) apt-get install -y -qq python3-venv; } || \
		{ echo 'python3 cannot make a virtual environment here; as root, type: apt-get install python3-venv' >&2; exit 1; }
	@rm -rf $(VENV) && $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install -q --upgrade pip

.stamps/run: requirements/run.lock pyproject.toml | $(BIN)/pip
	$(BIN)/pip install -q --require-hashes -r requirements/run.lock
	$(BIN)/pip install -q --no-deps -e .
	@mkdir -p .stamps && touch $@

.stamps/dev: requirements/dev.lock pyproject.toml | $(BIN)/pip
	$(BIN)/pip install -q --require-hashes -r requirements/dev.lock
	$(BIN)/pip install -q --no-deps -e .
	@mkdir -p .stamps && touch $@ .stamps/run

.stamps/browser:
	@command -v chromium >/dev/null || { $(ROOT) apt-get update -qq && $(ROOT) apt-get install -y -qq chromium; } || \
		{ echo 'the tests of the page need Chromium; as root, type: apt-get install chromium' >&2; exit 1; }
	@mkdir -p .stamps && touch $@
