# Everything sets itself up: `make crawl` and `make test` work on a fresh machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What runs; and, on top of it, what develops and tests.
READY := $(VENV)/.ready
DEV_READY := $(VENV)/.ready-dev
# pywb, wacz and cdxj-indexer, which tests/acceptance holds the archive against.
TOOLS := .venv-tools
TOOLS_READY := $(TOOLS)/.ready
# Apache Spark, which takes long to install: in the same environment.
SPARK_READY := $(VENV)/.ready-spark
# Chromium and axe-core, by which tests/web uses the web application as people do.
BROWSER_READY := tests/web/node_modules/.ready
# Other extractors, which bench/extraction.py measures beside ours.
PEERS := .venv-peers
PEERS_READY := $(PEERS)/.ready
# One more than two processors: crawls wait for clocks, servers and disks.
TEST_JOBS ?= 3

# Every crawl of the tests is a new process: none may have to compile what another has compiled.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(TEST_JOBS) --dist loadgroup

.PHONY: crawl quick test zoo fuzz lint format bench bench-sites bench-sites-learned peers lock clean

## crawl: archive the sample web; SEEDS=FILE archives the real one; HOLD=1 keeps the sample web's clock still
crawl: $(READY)
ifdef SEEDS
	$(BIN)/scrapy crawl feeds -a seeds="$(SEEDS)"
else
	$(BIN)/python -m sample.rehearsal $(if $(HOLD),--hold)
endif

# What needs no other process, no server and no large document.
QUICK := expressions extract feeds fields gaps knowledge memento objects polling reading rebuild rechecks requisites \
    search seeds selection statistics timestamps versions websub

## quick: modules by themselves, without crawls, in less than a minute
quick: $(DEV_READY)
	HYPOTHESIS_PROFILE=quick $(PYTEST) -m "not zoo" $(QUICK:%=tests/%) \
	    $(filter-out %/test_startup.py %/test_border.py %/test_internals.py,$(wildcard tests/test_*.py))

## test: what must hold, in minutes
test: $(DEV_READY) $(TOOLS_READY)
	$(PYTEST) -m "not zoo"

## zoo: what takes longer: kill series, hostile servers, PostgreSQL, pywb, Spark, a browser, quality floors, the wheel
zoo: $(DEV_READY) $(TOOLS_READY) $(BROWSER_READY) $(SPARK_READY)
	$(PYTEST) -m zoo

## fuzz: pages made up and broken, for ten minutes; FUZZ_SECONDS=60 for one, QUALITY_DATA=FOLDER with real ones
fuzz: $(DEV_READY)
	nice -n 15 $(BIN)/python -m tests.fuzz

## lint: style and types
lint: $(DEV_READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

## format: bring the code into the house style
format: $(DEV_READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

## bench: pages per second, beside bare Scrapy and wget
bench: $(DEV_READY)
	$(BIN)/python bench/crawl.py

## bench-sites: requests and content of whole sites; APPS=FOLDER has `up NAME PORT`, WORK=FOLDER is where it builds
bench-sites: $(DEV_READY)
	$(BIN)/python bench/sites.py --peers --apps "$(APPS)" $(if $(WORK),--work "$(WORK)") $(if $(ONLY),--only "$(ONLY)") \
	    $(if $(JSON),--json "$(JSON)")

## bench-sites-learned: the same where no software is known, with ten seeds; SEEDS=0-2 for fewer
bench-sites-learned: $(DEV_READY)
	$(BIN)/python bench/sites.py --peers --no-knowledge --strategies learned --seeds "$(or $(SEEDS),0-9)" \
	    --apps "$(APPS)" $(if $(WORK),--work "$(WORK)") $(if $(ONLY),--only "$(ONLY)") $(if $(JSON),--json "$(JSON)")

## peers: other extractors, for bench/extraction.py --peers
peers: $(PEERS_READY)

## lock: pin the newest versions that pyproject.toml and the requirements-*.in allow
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
    --upgrade
lock: $(DEV_READY)
	$(LOCK) --extra setup --extra dev --output-file requirements-dev.lock pyproject.toml
	$(LOCK) --extra setup --constraint requirements-dev.lock --output-file requirements.lock pyproject.toml
	$(LOCK) --extra setup --extra postgresql --extra storage --extra metrics --constraint requirements-dev.lock \
	    --output-file requirements-container.lock pyproject.toml
	$(LOCK) --output-file requirements-spark.lock requirements-spark.in
	$(LOCK) --output-file requirements-tools.lock requirements-tools.in
	$(LOCK) --output-file requirements-peers.lock requirements-peers.in

clean:
	rm -rf $(VENV) $(TOOLS) $(PEERS) tests/web/node_modules archive-sample archive-site archive-campaign .mypy_cache .ruff_cache .pytest_cache

# $(call INSTALL,PYTHON,WHAT). A lock names everything with its hash: nothing is left to resolve. pip would compile what
# it installs, which takes longer than installing it; Python compiles what it loads. uv takes a tenth of pip's time,
# where it is there; but pip alone knows this machine's own configuration. Of pip's words, errors alone are shown.
define INSTALL
{ uv=$$(command -v $(BIN)/uv || command -v uv) && $$uv pip install --quiet --python $(1) --no-deps $(2) 2> /dev/null; } || \
$(BIN)/pip --python $(1) install -qq --disable-pip-version-check --no-compile --no-deps $(2)
endef
# Once, and also where Python is told to keep no bytecode: there, each process of a crawl would compile all that it loads.
COMPILE := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m compileall -q -j 0 archiver && PYTHONDONTWRITEBYTECODE= $(BIN)/python -c \
    "import scrapy.cmdline, archiver.spiders.feeds, archiver.running.workers.child, archiver.running.writing.child"
NO_PACKAGES := The packages could not be installed. Without a network, or behind a proxy, tell pip where they are: \
    https_proxy, PIP_INDEX_URL or PIP_FIND_LINKS. Then run the same command again.

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 …"; exit 1; }
	@echo "Setting up $(VENV) …"
	@$(PYTHON) -m venv $(VENV) || { echo "venv is missing: apt-get install python3-venv"; exit 1; }
	@{ $(call INSTALL,$(BIN)/python,--require-hashes -r requirements.lock); } && \
	    { $(call INSTALL,$(BIN)/python,--no-build-isolation -e .); } || { echo "$(NO_PACKAGES)"; exit 1; }
	@$(COMPILE)
	@touch $@

$(DEV_READY): requirements-dev.lock $(READY)
	@echo "Setting up $(VENV) for tests …"
	@{ $(call INSTALL,$(BIN)/python,--require-hashes -r requirements-dev.lock); } || { echo "$(NO_PACKAGES)"; exit 1; }
	@touch $@

# An environment of its own beside ours.
define SET_UP
echo "Setting up $(@D) …"; \
$(BIN)/python -m venv --clear --without-pip $(@D) && \
{ $(call INSTALL,$(@D)/bin/python,--require-hashes -r $<); } && \
touch $@
endef

$(TOOLS_READY): requirements-tools.lock | $(DEV_READY)
	@$(SET_UP) || { \
	    echo "pywb, wacz and cdxj-indexer could not be installed: is there a network, and a package index?"; \
	    echo "The tests that need them are skipped until this works: make $@"; \
	    test "$$CI" != true; \
	}

$(SPARK_READY): requirements-spark.lock $(DEV_READY)
	@echo "Setting up Spark for tests …"
	@{ $(call INSTALL,$(BIN)/python,--require-hashes -r requirements-spark.lock); } && touch $@ || { \
	    echo "pyspark could not be installed: is there a network, and a package index?"; \
	    echo "The tests that need it are skipped until this works: make $@"; \
	    test "$$CI" != true; \
	}

$(BROWSER_READY): tests/web/package-lock.json
	@echo "Setting up a browser for tests …"
	@{ command -v chromium > /dev/null || apt-get install -y -qq chromium > /dev/null 2>&1 || \
	    { apt-get update -qq && apt-get install -y -qq chromium > /dev/null; }; } && \
	npm ci --prefix tests/web --silent --no-audit --no-fund && touch $@ || { \
	    echo "The browser could not be set up: install chromium and npm (Debian: apt-get install chromium npm)."; \
	    echo "The tests that need it are skipped until this works: make $@"; \
	    test "$$CI" != true; \
	}

$(PEERS_READY): requirements-peers.lock | $(DEV_READY)
	@$(SET_UP) || { echo "The peers could not be installed: is there a network, and a package index?"; exit 1; }
