# make        play a demonstration (the same as `make demo`)
# make develop  the environment that tests, ruff and mypy run in, and nothing else
# make test   everything that has to hold before a change lands: make style, make suite, make shipped
# make test-browser  the studio in a real browser, Chromium of the distribution; what is missing is installed: make browser
# make thorough  whole what `make test` takes samples of; 24,000 games made up at random, 20,000 applications of laws (hours)
# make docs   build the manual into site/, strictly, with a page for each code
# make bench  ratios against hand-written limits and peers, in one run
# make editors  the published schemas in the real language server for YAML, from npm (needs node)
# make neovim  the language server in a real Neovim: a mistake underlined, its fix, a rename (needs nvim, 0.7 or newer)
# make vscode  the extension for VS Code, as a .vsix (needs node)
# make clean  forget the virtual environment
#
# Needs only make and Python 3.11 or newer. Another Python: make PYTHON=python3.12 test

PYTHON ?= python3
BIN    := .venv/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

# Empty files that remember what is installed. They carry the Python's name, so
# that another PYTHON builds the environment anew; a change of pyproject.toml
# installs again.
STAMP  := .venv/stamp-$(notdir $(PYTHON))

.PHONY: demo develop fuzz test style suite shipped test-browser browser thorough docs bench editors neovim vscode clean

demo: $(STAMP)-demo
	$(BIN)/umpire demo

develop: $(STAMP)-test

test: style suite shipped

style: $(STAMP)-test
	$(BIN)/ruff check .
	$(BIN)/mypy

suite: $(STAMP)-test
	$(BIN)/pytest -q -n auto --dist worksteal

shipped: $(STAMP)-test
	$(BIN)/umpire check rules/*.yaml
	$(BIN)/umpire test --jobs 2

test-browser: $(STAMP)-test browser
	$(BIN)/pytest -q -n 0 tests/browser

browser:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || { \
		root=$$([ "$$(id -u)" = 0 ] || echo sudo); $$root apt-get update -qq; \
		$$root apt-get install -y -qq --no-install-recommends chromium chromium-driver; }

thorough: $(STAMP)-test
	UMPIRE_THOROUGH=1 $(BIN)/pytest -q -n auto --dist worksteal $$(grep -l tests.sampled tests/test_*.py)
	$(BIN)/python fuzz/games.py --count 24000 --processes 2
	$(BIN)/python fuzz/laws.py --count 20000 --processes 2

docs: $(STAMP)-docs
	$(BIN)/python docs/generate/reference.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

bench: $(STAMP)-bench
	$(BIN)/python benchmarks/run.py

editors: $(STAMP)-demo
	npm install --silent --no-audit --no-fund --prefix .venv/editors yaml-language-server@2
	$(BIN)/python tests/editors/yaml_language_server.py .venv/editors/node_modules/.bin/yaml-language-server

neovim: $(STAMP)-test
	$(BIN)/python tests/editors/neovim.py nvim $(BIN)/umpire

# Built from a copy, so that nothing of npm's comes to lie in the folder.
vscode: $(STAMP)-test
	rm -rf .venv/vscode
	mkdir -p .venv/vscode
	cp -R editors/vscode/. LICENSE .venv/vscode
	cd .venv/vscode && npm install --silent --no-audit --no-fund && npx vsce package --allow-missing-repository --out umpire.vsix
	node tests/editors/vscode.js .venv/vscode $(BIN)/umpire
	@echo "code --install-extension .venv/vscode/umpire.vsix"

clean:
	rm -rf .venv site

$(STAMP)-venv:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Umpire needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear .venv
	@touch $@

$(STAMP)-demo: pyproject.toml $(STAMP)-venv
	$(PIP) -e .
	@touch $@

$(STAMP)-test: pyproject.toml $(STAMP)-venv
	$(PIP) -e '.[test,dev,docs,pictures,pdf,studio,cluster,browser]'
	@touch $@ $(STAMP)-demo $(STAMP)-docs

$(STAMP)-docs: pyproject.toml $(STAMP)-venv
	$(PIP) -e '.[docs]'
	@touch $@ $(STAMP)-demo

# d20 asks for lark-parser, an old name of lark that would overwrite ours: it runs on lark as it is.
$(STAMP)-bench: pyproject.toml $(STAMP)-venv
	$(PIP) -e '.[bench]'
	$(PIP) --no-deps 'd20>=1.1.2,<2'
	@touch $@

# Guided fuzzing of the reader and the grammar, and ten thousand random edits of the shipped files (an hour, or less on an idle machine).
fuzz: $(STAMP)-test
	$(PIP) -e '.[fuzz]'
	mkdir -p .venv/corpus/reader .venv/corpus/grammar
	$(BIN)/python fuzz/campaign.py reader -max_total_time=300 -timeout=20 -rss_limit_mb=2000 .venv/corpus/reader
	$(BIN)/python fuzz/campaign.py grammar -max_total_time=300 -timeout=20 -rss_limit_mb=2000 .venv/corpus/grammar
	$(BIN)/python fuzz/edits.py
