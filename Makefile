# What a contributor runs. On a fresh clone any of these makes .venv and builds what it needs first.

PYTHON ?= python3
ARGS ?=

VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
RUN := $(BIN)/python
PIP := $(RUN) -m pip --disable-pip-version-check --quiet install
WORKERS := -n auto --dist worksteal -q
CODE := src tests benchmarks examples docs
CORE := $(wildcard cpp/*/*.hpp cpp/*/*.cpp cpp/*/*/*.hpp cpp/*/*/*.cpp)

.PHONY: help demo test test-all check format bench quote docs torture cross test-oldest wheel wheels news browser page clean
.NOTPARALLEL:
.DELETE_ON_ERROR:

# Tests start hundreds of processes: each would compile all it imports, and pytest all tests, again.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make demo      grow a tree on a bundled table and show it"
	@echo "make test      run the tests that answer in minutes; T=tests/parts: those of a room; ARGS='-k gini': some"
	@echo "make test-all  run these, then the rest"
	@echo "make check     ruff, mypy --strict, clang-format, who may import whom"
	@echo "make format    let ruff and clang-format put the code in shape"
	@echo "make bench     compare speed and memory with other libraries (ARGS=--quick, ARGS=--full, ARGS=--write)"
	@echo "make quote     put the figures that make bench ARGS=--write kept into the READMEs"
	@echo "make docs      build the site: build/docs/index.html"
	@echo "make torture   run all tests with ten times the random tables: an hour or so"
	@echo "make cross     build the core for 64-bit ARM and with Clang, and compare its trees with those recorded"
	@echo "make test-oldest  run the quick tests with the oldest dependencies that pyproject.toml allows"
	@echo "make wheel     build a wheel and an sdist, install each in an empty environment and try it"
	@echo "make wheels    build the wheels of this platform for every Python, as a release has them"
	@echo "make news      show what CHANGELOG.md would gain; ARGS='--version 0.2.0': move it there"
	@echo "make browser   install Chromium, which measures drawings, where that can be done"
	@echo "make page      build the script of reports again, with Node"
	@echo "make clean     remove .venv and everything built"

demo: $(VENV)/.built
	@$(RUN) -m treewright demo

# `tests/tiers.py` says which tests are in the quick tier. A room is run whole, and at once: workers take longer
# to start than most rooms to run.
test: $(VENV)/.built $(VENV)/.dev $(VENV)/.browser $(VENV)/.frontend build/core_tests
ifdef T
	@$(RUN) -m pytest -q $(T) $(ARGS)
else
	@build/core_tests
	@$(RUN) -m pytest $(WORKERS) --tier=quick $(ARGS)
endif

test-all: test
	@$(RUN) -m pytest $(WORKERS) --tier=rest $(ARGS)

check: $(VENV)/.built $(VENV)/.dev
	@$(BIN)/ruff check --quiet --output-format concise $(CODE)
	@$(BIN)/ruff format --check --quiet $(CODE)
	@$(BIN)/mypy --strict src
	@$(BIN)/clang-format --dry-run -Werror $(CORE)
	@$(BIN)/codespell $(CODE) cpp changes frontend/src .github $(wildcard *.md)
	@$(RUN) -m pytest -q tests/test_architecture.py

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix --quiet $(CODE) || true
	@$(BIN)/ruff format $(CODE)
	@$(BIN)/clang-format -i $(CORE)

bench: $(VENV)/.built $(VENV)/.bench
	@$(RUN) -m benchmarks.compare $(ARGS)

# The figures that `make bench ARGS=--write` kept, into both READMEs.
quote: $(VENV)/.built
	@$(RUN) -m benchmarks.compare.quote

# Nothing is kept from the last time, so that a warning shows whatever was changed.
docs: $(VENV)/.built $(VENV)/.docs
	@$(RUN) -m sphinx -q -W --keep-going -E -b html docs build/docs
	@echo "The site is in build/docs/index.html."

torture: $(VENV)/.built $(VENV)/.dev
	@TREEWRIGHT_TORTURE=1 $(RUN) -m pytest $(WORKERS) $(ARGS)

# The core elsewhere: its tests pass, and trees come out the same to the bit.
cross:
	@$(call elsewhere,aarch64,aarch64-linux-gnu-g++ qemu-aarch64,g++-aarch64-linux-gnu qemu-user,-DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake,qemu-aarch64)
	@$(call elsewhere,clang,clang++,clang,-DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS=-Werror)

# An environment of its own, in which every ">=" of pyproject.toml is an "==".
OLDEST := build/oldest
test-oldest: $(VENV)/.tools
	@test -x $(OLDEST)/bin/python || $(PYTHON) -m venv $(OLDEST)
	@{ $(call wanted,of['build-system']['requires']); $(CMAKE_IF_ABSENT); $(RUN) tests/oldest.py; } | $(OLDEST)/bin/python -m pip --quiet install -r /dev/stdin
	@$(OLDEST)/bin/python -m pip --quiet install --no-build-isolation --no-deps --editable . -C build-dir=build/oldest-core
	@$(OLDEST)/bin/python -m pytest $(WORKERS) --tier=quick $(ARGS)

wheel: $(VENV)/.tools
	@rm -rf dist build/smoke
	@$(PIP) 'build>=1.2'
	@$(RUN) -m build --outdir dist .
	@for each in dist/*; do \
	  $(PYTHON) -m venv --clear build/smoke && \
	  build/smoke/bin/python -m pip --disable-pip-version-check --quiet install $$each && \
	  echo "$$each:" && (cd build/smoke && bin/python $(CURDIR)/tests/smoke.py) || exit 1; done

wheels: $(VENV)/.tools
	@$(call extra,release) | $(PIP) -r /dev/stdin
	@$(RUN) -m cibuildwheel --output-dir dist

news: $(VENV)/.dev
	@$(BIN)/towncrier build $(or $(ARGS),--draft --version next)

browser: | $(VENV)/.tools
	@rm -f $(VENV)/.browser
	@$(MAKE) --no-print-directory $(VENV)/.browser

page:
	@npm ci --prefix frontend --no-audit --no-fund --silent
	@npm run --prefix frontend --silent check
	@npm run --prefix frontend --silent build

clean:
	@rm -rf $(VENV) build dist watermelon.svg docs/gallery docs/reference/api docs/_static/gallery .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find $(CODE) -name __pycache__ -prune -exec rm -rf {} +

# -- set-up ------------------------------------------------------------------------------------------------
# Three layers, each a stamp: what builds the core, the core itself, what tests and checks it. The install is
# editable: Python files are read where they stand, and the core is built again when a C++ file is newer.

# Print a list of requirements out of pyproject.toml, to be read by `pip install -r`.
wanted = $(RUN) -c "import tomllib; of = tomllib.load(open('pyproject.toml', 'rb')); print(*$(1), sep='\n')"
extra = $(call wanted,of['project']['optional-dependencies']['$(1)'])

$(VENV)/.tools: pyproject.toml
	$(call needs,command -v $(PYTHON),Python 3.11 or later: apt install python3 python3-venv python3-dev)
	$(call needs,$(PYTHON) -c '$(IS_NEW)',Python 3.11 or later; $(PYTHON) is older: make PYTHON=python3.12)
	$(call needs,$(PYTHON) -c '$(HAS_VENV)',Python's venv module: apt install $(notdir $(PYTHON))-venv)
	$(call needs,$(PYTHON) -c '$(HAS_HEADERS)',Python's C headers: apt install $(notdir $(PYTHON))-dev)
	$(call needs,$(HAS_COMPILER),a C++20 compiler: apt install g++)
	@echo "Setting up $(VENV): once, about a minute."
	@$(PYTHON) -m venv $(VENV)
	@$(call wanted,of['build-system']['requires']) | $(PIP) -r /dev/stdin
	@$(CMAKE_IF_ABSENT) | $(PIP) -r /dev/stdin
	@touch $@

# Built without isolation, so that the second build compiles only what changed. pip says nothing while it
# builds, so a second process counts the object files; in a log it writes a line a minute.
$(VENV)/.built: $(VENV)/.tools CMakeLists.txt $(CORE)
	@echo "Building the core with $$(nproc 2>/dev/null || echo several) cores: one to two minutes with two, fewer with more."
	@touch $(VENV)/.building
	@( $(COUNT_OBJECTS) ) & counting=$$!; trap 'kill $$counting 2>/dev/null' EXIT; \
	  $(PIP) --no-build-isolation --editable . && $(OBJECTS_BUILT)
	@touch $@

# The core's own tests, linked with the objects of the build for Python.
build/core_tests: $(CORE) $(VENV)/.built
	@in=$$(ls -td build/cp*/CMakeFiles/treewright_core.dir | head -1) && \
	  $(or $(CXX),c++) -std=c++20 -O1 -ffp-contract=off -fopenmp-simd -Icpp -o $@ cpp/tests/*.cpp \
	  $$(for each in $$(ls cpp/treewright/*.cpp cpp/treewright/*/*.cpp 2>/dev/null); do echo $$in/$$each.o; done) -pthread

$(VENV)/.dev: pyproject.toml | $(VENV)/.built
	@{ $(call extra,test); $(call extra,check); } | $(PIP) -r /dev/stdin
	@touch $@

# Tried once. Without a browser the tests that need one are skipped and say so; nothing else does.
$(VENV)/.browser: | $(VENV)/.tools
	@$(HAS_BROWSER) || $(GET_BROWSER) || echo "No Chromium, and none can be installed here: some tests will be skipped."
	@touch $@

# What builds the report's page again, to compare; without Node these tests are skipped, too.
$(VENV)/.frontend: frontend/package-lock.json | $(VENV)/.tools
	@timeout 120 npm ci --prefix frontend --no-audit --no-fund --silent >/dev/null 2>&1 || \
	  echo "No Node, or no packages for it: what builds the page of reports is not tested here."
	@touch $@

$(VENV)/.docs: pyproject.toml | $(VENV)/.built
	@$(call extra,docs) | $(PIP) -r /dev/stdin
	@touch $@

$(VENV)/.bench: pyproject.toml | $(VENV)/.built
	@$(call extra,bench) | $(PIP) -r /dev/stdin
	@touch $@

# $(call needs,a command,what is missing and how to get it): stop with one line where the command fails.
needs = $(if $(shell { $(1); } >/dev/null 2>&1 && echo yes),,$(error treewright needs $(2)))

SOURCES := $(words $(filter-out cpp/tests/% cpp/digests/%,$(filter %.cpp,$(CORE))))
OBJECTS = find build -path build/core_tests -prune -o -path '*/cpp/*' -name '*.o' -newer $(VENV)/.building -print 2>/dev/null | wc -l
OBJECTS_BUILT = printf 'Built %s of %s files.\n' "$$($(OBJECTS))" $(SOURCES)
# How often the count is shown: on a terminal it stays on its line.
EVERY := $(shell [ -t 0 ] && [ -t 2 ] && echo 2 || echo 60)
COUNT_OBJECTS = [ -t 1 ] && end='\r' || end='\n'; \
  while sleep $(EVERY) </dev/null >/dev/null 2>&1; do printf "Built %s of %s files ...$$end" "$$($(OBJECTS))" $(SOURCES); done

IS_NEW := import sys; sys.exit(sys.version_info < (3, 11))
HAS_VENV := import venv, ensurepip
HAS_HEADERS := import os, sysconfig; os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))
# Asked for by hand, as CMake would look: $$CXX, then the usual names; <span> and <concepts> came with C++20.
HAS_COMPILER := for it in $$CXX c++ g++ clang++; do \
  printf '\#include <concepts>\n\#include <span>\n' | $$it -std=c++20 -fsyntax-only -x c++ - && break; done
# The build backend asks for cmake and ninja from the package index where the machine has none.
CMAKE_IF_ABSENT = $(RUN) -c "from scikit_build_core.build import get_requires_for_build_editable as more; \
  print('scikit-build-core', *more(), sep='\n')"
HAS_BROWSER := for it in chromium chromium-browser google-chrome; do command -v $$it && break; done >/dev/null
# Debian's, with a small font that has Chinese. Fetching may take its time, but not for ever; a lock that
# someone else holds is not waited for, and what is fetched is put in place without being stopped half-way.
APT := apt-get -qq -o DPkg::Lock::Timeout=0 -o Acquire::Retries=0 -o Acquire::http::Timeout=15
APT_BROWSER := $(APT) install -y --no-install-recommends chromium fonts-wqy-microhei
GET_BROWSER := { [ "$$(id -u)" = 0 ] && command -v apt-get && timeout 60 $(APT) update && \
  timeout 180 $(APT_BROWSER) --download-only && DEBIAN_FRONTEND=noninteractive $(APT_BROWSER); } >/dev/null 2>&1
# $(call elsewhere,a name,programs it needs,their packages,options for CMake,what runs programs): skipped, with
# the reason, where a program is missing. CMake is the machine's, or, where it has none, that of .venv.
elsewhere = PATH="$$PATH:$(CURDIR)/$(BIN)"; at=build/cross/$(1); missing=; \
  for it in cmake $(2); do command -v $$it >/dev/null || missing="$$missing $$it"; done; \
  if [ -n "$$missing" ]; then echo "$(1): skipped, for want of$$missing: apt install cmake $(3)"; exit 0; fi; \
  cmake -S . -B $$at -DTREEWRIGHT_MODULE=OFF $(4) >/dev/null && \
  cmake --build $$at --parallel $$(nproc 2>/dev/null || echo 2) --target core_tests core_digests && \
  $(5) $$at/core_tests && $(5) $$at/core_digests >$$at/digests.txt && diff cpp/digests/recorded.txt $$at/digests.txt && \
  echo "$(1): all $$(wc -l <$$at/digests.txt) digests are those recorded."
