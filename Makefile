# Everything from a fresh clone: `make demo`, `make test`. Needs Python 3.11, 3.12 or 3.13.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
SPARK  := $(VENV)/.spark

.PHONY: demo test docs test-faults check wheel kit coverage sbom licences bench questions fuzz mutants lock browser database readers spark clean

demo: $(READY)
	@$(BIN)/reidrisk demo demo-output
	@command -v reidrisk >/dev/null || echo "In this folder, type $(BIN)/reidrisk instead of reidrisk."

# A worker takes its tests in order, so that what the tests of a file share is made once; modules are compiled once.
# Workers run on all cores, so that linear algebra gets one of them.
test: export PYTHONDONTWRITEBYTECODE =
test: export OPENBLAS_NUM_THREADS = 1
test: $(READY) browser database readers spark
	$(BIN)/python -m pytest -n auto --dist worksteal

# The documentation as a site in the folder `site`, with search; needs no network, neither to build nor to read.
docs: $(READY)
	@$(BIN)/zensical build --clean --strict
	@echo "Open site/index.html in a browser."

# A kill and one more fault at every file operation of every command that writes; prints a table. FAULTS=1200 for fewer.
test-faults: $(READY)
	$(BIN)/python -m tests.faults.run $(if $(FAULTS),--faults $(FAULTS))

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# What `pip install` needs, in dist.
wheel: $(READY)
	$(BIN)/python -m hatchling build -t wheel

# One archive in dist with all wheels and their hashes, for computers without internet. For another computer:
# make kit SYSTEM=win_amd64 VERSION=3.12; a smaller one: EXTRAS=report,tables.
kit: $(READY)
	$(BIN)/python scripts/make_kit.py dist $(if $(SYSTEM),--system $(SYSTEM)) $(if $(VERSION),--python $(VERSION)) \
	  $(if $(EXTRAS),--extras $(EXTRAS))

# Lines and branches that the tests run, also in the processes that they start. Loops of Numba are machine code
# and are not seen. Fails below 95 % of lines or 90 % of branches.
coverage: export PYTHONDONTWRITEBYTECODE =
coverage: $(READY) browser database readers spark
	@rm -rf .coverage && mkdir .coverage
	$(BIN)/coverage run -m pytest -n auto --dist worksteal
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage html --quiet --directory .coverage/html
	$(BIN)/coverage json --quiet -o .coverage/coverage.json
	$(BIN)/python scripts/check_coverage.py .coverage/coverage.json --lines 95 --branches 90

# The packages that reidrisk is made of, as CycloneDX, and their licenses.
sbom licences: $(READY) $(SPARK)
	$(BIN)/python scripts/list_packages.py dist

# Measures and writes docs/benchmarks.md and .json: two hours, or ten minutes with QUICK=1. On a busy machine: PATIENCE=5.
bench: export PYTHONDONTWRITEBYTECODE =
bench: $(READY)
	$(BIN)/python bench/page.py $(if $(QUICK),--quick) --patience $(or $(PATIENCE),1)

# Every other question of bench/, one script each; they print and write nothing.
questions: $(READY)
	@for question in bench/bench_*.py; do echo "== $$question"; $(BIN)/python $$question || exit 1; done

# Damages files of every kind that users give, for an hour in all or MINUTES=...; what goes wrong is in fuzz-findings.
fuzz: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-fuzz.lock
	$(BIN)/python bench/fuzz.py --minutes $(or $(MINUTES),60)

# Puts 1,000 faults into the statistics and the code that decides: nine in ten must make a test fail.
mutants: $(READY)
	$(BIN)/python bench/mutants.py

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	  || { echo "reidrisk needs Python 3.11 to 3.13; say which: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { echo "Python cannot make a virtual environment; install its venv package (Debian: python3-venv)."; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src $(VENV)/lib || true
	@touch $@

# The system's package, as the administrator or by sudo where it asks for no password; says nothing.
install = { if [ "$$(id -u)" = 0 ]; then as=""; else as="sudo -n"; fi; \
	  $$as apt-get update -qq -o Acquire::Retries=0 && $$as env DEBIAN_FRONTEND=noninteractive \
	    apt-get install -y -qq --no-install-recommends $(1); } >/dev/null 2>&1 </dev/null

# The pages are tested in a real browser; the system's package is used, none is downloaded by the tests.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
	  echo "Installing Chromium for the page tests"; \
	  $(call install,chromium) || { \
	    echo "Chromium is missing and could not be installed. As an administrator: apt-get install chromium"; exit 1; }; }

# Tables are read from a real server, which its tests start; they are skipped where it cannot be installed.
database:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
	  echo "Installing PostgreSQL for the tests that read from a server"; \
	  $(call install,postgresql) || { \
	    echo "PostgreSQL is missing and could not be installed: its tests are skipped."; \
	    echo "As an administrator: apt-get install postgresql"; }; }

# Documents are opened by other programs too; what these would test is skipped where they cannot be installed.
readers:
	@(for program in qpdf pdftotext soffice tesseract; do command -v $$program >/dev/null || exit 1; done) || { \
	  echo "Installing qpdf, Poppler, LibreOffice and Tesseract for the tests of documents"; \
	  $(call install,qpdf poppler-utils libreoffice-writer-nogui tesseract-ocr) || { \
	    echo "They could not be installed: some tests of documents are skipped."; \
	    echo "As an administrator: apt-get install qpdf poppler-utils libreoffice-writer tesseract-ocr"; }; }

# PySpark and Java for the tests on a cluster, which are skipped where they cannot be installed. Nothing else needs them.
spark: $(SPARK)
	@command -v java >/dev/null || { \
	  echo "Installing Java for the tests on Spark"; \
	  $(call install,openjdk-17-jre-headless) || $(call install,default-jre-headless) || { \
	    echo "Java is missing and could not be installed: the tests on Spark are skipped."; \
	    echo "As an administrator: apt-get install openjdk-17-jre-headless"; }; }
	@test -e /usr/share/java/postgresql.jar || { \
	  echo "Installing the JDBC driver of PostgreSQL for the tests on Spark"; \
	  $(call install,libpostgresql-jdbc-java) || { \
	    echo "It could not be installed: the tests of PostgreSQL on Spark are skipped."; \
	    echo "As an administrator: apt-get install libpostgresql-jdbc-java"; }; }

$(SPARK): $(READY) requirements-spark.lock
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-spark.lock; \
	then touch $@; else echo "PySpark could not be installed: the tests on Spark are skipped."; fi

lock: $(READY)
	uv pip compile pyproject.toml --universal --generate-hashes --no-header --no-annotate \
	  --extra all --group dev --group bench -o requirements.lock
	uv pip compile pyproject.toml --universal --generate-hashes --no-header --no-annotate \
	  --extra spark --constraint requirements.lock -o requirements-spark.lock
	uv pip compile --group fuzz --universal --generate-hashes --no-header --no-annotate \
	  --constraint requirements.lock -o requirements-fuzz.lock

clean:
	rm -rf $(VENV) demo-output dist site .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis
