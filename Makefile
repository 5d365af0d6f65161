# Everything sets itself up: `make crawl` and `make test` work on a fresh machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# pywb, wacz and cdxj-indexer, which tests/acceptance holds the archive against.
TOOLS := .venv-tools
TOOLS_READY := $(TOOLS)/.ready
# Other extractors, which bench/extraction.py measures beside ours.
PEERS := .venv-peers
PEERS_READY := $(PEERS)/.ready
TEST_JOBS ?= 2

# Every crawl of the tests is a new process: none may have to compile what another has compiled.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(TEST_JOBS) --dist loadgroup

.PHONY: crawl test zoo fuzz lint format bench peers lock clean

## crawl: archive the sample web; SEEDS=FILE archives the real one; HOLD=1 keeps the sample web's clock still
crawl: $(READY)
ifdef SEEDS
	$(BIN)/scrapy crawl feeds -a seeds="$(SEEDS)"
else
	$(BIN)/python -m sample.rehearsal $(if $(HOLD),--hold)
endif

## test: what must hold, in minutes
test: $(READY) $(TOOLS_READY)
	$(PYTEST) -m "not zoo"

## zoo: what takes longer: runs killed at random, hostile servers under load, the wheel in an empty environment
zoo: $(READY) $(TOOLS_READY)
	$(PYTEST) -m zoo

## fuzz: pages made up and broken, for ten minutes; FUZZ_SECONDS=60 for one, QUALITY_DATA=FOLDER with real ones
fuzz: $(READY)
	nice -n 15 $(BIN)/python -m tests.fuzz

## lint: style and types
lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

## format: bring the code into the house style
format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

## bench: pages per second, beside bare Scrapy and wget
bench: $(READY)
	$(BIN)/python bench/crawl.py

## peers: other extractors, for bench/extraction.py --peers
peers: $(PEERS_READY)

## lock: pin the newest versions that pyproject.toml and the requirements-*.in allow
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
    --upgrade
lock: $(READY)
	$(LOCK) --extra dev --extra postgresql --output-file requirements.lock pyproject.toml
	$(LOCK) --output-file requirements-tools.lock requirements-tools.in
	$(LOCK) --output-file requirements-peers.lock requirements-peers.in

clean:
	rm -rf $(VENV) $(TOOLS) $(PEERS) archive-sample .mypy_cache .ruff_cache .pytest_cache

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 …"; exit 1; }
	@echo "Setting up $(VENV) …"
	@$(PYTHON) -m venv $(VENV) || { echo "venv is missing: apt-get install python3-venv"; exit 1; }
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# The environment of a lock file beside ours. uv takes a third of pip's time; pip knows this machine's own
# configuration.
define SET_UP
echo "Setting up $(@D) …"; \
$(BIN)/python -m venv --clear --without-pip $(@D) && \
{ $(BIN)/uv pip install --quiet --python $(@D)/bin/python --require-hashes -r $< || \
    $(BIN)/pip --python $(@D)/bin/python install --quiet --disable-pip-version-check --require-hashes -r $<; } && \
touch $@
endef

$(TOOLS_READY): requirements-tools.lock | $(READY)
	@$(SET_UP) || { \
	    echo "pywb, wacz and cdxj-indexer could not be installed: is there a network, and a package index?"; \
	    echo "The tests that need them are skipped until this works: make $@"; \
	    test "$$CI" != true; \
	}

$(PEERS_READY): requirements-peers.lock | $(READY)
	@$(SET_UP) || { echo "The peers could not be installed: is there a network, and a package index?"; exit 1; }
