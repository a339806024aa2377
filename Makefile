# Two commands matter: `make run` and `make test`. Both build .venv from the locked
# dependencies first; nothing is installed outside this folder.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# More than four at a time would wait for each other's browsers.
PYTEST = $(BIN)/python -m pytest --numprocesses $(WORKERS) --maxprocesses 4 --dist worksteal

WORKERS = auto

# These tests spend a third of their time waiting, so one worker more than there are cores.
check test: WORKERS = $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

# Programs are installed by the system's own tool, which wants the rights of root.
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: help run check test acceptance lint bench fuzz film warm programs lock clean
.PHONY: release image assets install rollback uninstall arm64 machine hardware
.DEFAULT_GOAL := help

help:
	@echo "make run    a simulated table, at which you play in the browser"
	@echo "make check  style, strict types, and the quick tests"
	@echo "make test   run the test suite"
	@echo "make acceptance  run whole games, evenings, matches and samples of the long trials"
	@echo "make lint   style, strict types"
	@echo "make bench  measure speed on this machine, then the long trials of what must never fail"
	@echo "make fuzz   feed broken files of every kind to the verbs that read them, for a minute"
	@echo "make film   make the animated picture of the README anew (needs Chromium)"
	@echo "make warm   install the player and compile it, which takes a minute or several, once"
	@echo "make programs  install what tests need of the system: Chromium, strace, gcc, GStreamer, containers, Mosquitto"
	@echo "make lock   choose the newest dependencies and lock them"
	@echo "make release    build the archive that installs without a network, and the folder for a card"
	@echo "make image      put that release into the image of Raspberry Pi OS Lite, as root"
	@echo "make assets     all that a release offers for download, as root: make assets TAG=v..."
	@echo "make install    install as a service, as root: sudo make install"
	@echo "make rollback   go back to the release before"
	@echo "make uninstall  remove the service; games and settings stay"
	@echo "make arm64  run the program, its wheels and a part of its suite under arm64 emulation"
	@echo "make machine  install a release on an emulated arm64 machine with camera, buttons and LEDs, from a card, and in an image"
	@echo "make hardware  make parts, drawings, wiring and printed sheets of the builds anew"
	@echo "make clean  forget .venv and every cache"

# The player is for hints, and large: the table does not wait for it.
run: .venv/run.stamp
	@$(MAKE) --no-print-directory warm >.venv/player.log 2>&1 </dev/null &
	@$(BIN)/cornerlight demo

check: lint
	$(PYTEST) --quiet -m "not slow"

test: .venv/dev.stamp
	$(PYTEST)

acceptance: .venv/dev.stamp
	$(PYTEST) tests/acceptance

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev.stamp
	$(BIN)/cornerlight bench
	$(BIN)/python -m tests.evaluation

fuzz: .venv/dev.stamp
	$(BIN)/python -m tests.evaluation file_fuzz --seconds 60

film: .venv/dev.stamp
	$(BIN)/python -m tests.support.readme_animation

warm: .venv/player.stamp
	@nice $(BIN)/python -m firmware.player.search warm

# The browser tests need Chromium, those of a power cut strace, those of the LED library gcc, those
# of cameras with rtsp:// a server (60 MB; where it is missing they are skipped), those of the
# services and of picamera2 a container with systemd.
programs: .venv/dev.stamp
	@wanted=; \
	command -v chromium >/dev/null || wanted="$$wanted chromium"; \
	command -v strace >/dev/null || wanted="$$wanted strace"; \
	command -v gcc >/dev/null || wanted="$$wanted gcc python3-dev"; \
	/usr/bin/python3 -c 'import gi; gi.require_version("GstRtspServer", "1.0")' 2>/dev/null || \
	  wanted="$$wanted gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly python3-gi"; \
	command -v systemd-nspawn >/dev/null || wanted="$$wanted systemd-container"; \
	command -v mmdebstrap >/dev/null || wanted="$$wanted mmdebstrap"; \
	command -v sfdisk >/dev/null || [ -x /usr/sbin/sfdisk ] || wanted="$$wanted fdisk"; \
	command -v mosquitto >/dev/null || [ -x /usr/sbin/mosquitto ] || wanted="$$wanted mosquitto"; \
	[ -z "$$wanted" ] || { $(SUDO) apt-get update -qq && \
	  $(SUDO) DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$wanted >/dev/null; }
	@$(PIP) install --require-hashes -r requirements-pi.lock

lock: .venv/python.stamp
	$(BIN)/python -m venv .venv/lock
	.venv/lock/bin/pip --quiet install uv
	for extra in build dev player pi rtsp club hardware; do \
	  .venv/lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	    --generate-hashes --no-emit-index-url --no-header --extra build --extra $$extra \
	    pyproject.toml --output-file requirements-$$extra.lock || exit 1; \
	done
	mv requirements-build.lock requirements.lock

# Machines whose wheels the archive has.
MACHINES ?= aarch64

release: .venv/dev.stamp
	$(BIN)/python systemd/release.py $(addprefix --machine ,$(MACHINES))

# Dates in what is released are that of its commit.
release image: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)

# A path or an address of an image, with its .sha256 beside it; without it the newest official one.
IMAGE ?=

image: .venv/dev.stamp
	$(BIN)/python systemd/image.py $(if $(IMAGE),--image "$(IMAGE)")

# Each of them has to be there, so that no release lacks one.
ASSETS = *.tar.gz *.zip *.img.xz *.rpi-imager-manifest

assets: .venv/dev.stamp
	@version=v$$($(BIN)/python -c "import firmware; print(firmware.__version__)"); \
	[ "$(TAG)" = "$$version" ] || { echo "The tag is '$(TAG)', and firmware/__init__.py says $$version: tag the commit $$version, or change the version first" >&2; exit 1; }
	@$(MAKE) --no-print-directory release
	@$(MAKE) --no-print-directory image
	cd build/release && sha256sum $(ASSETS) >SHA256SUMS

# An unpacked archive has wheels; in a clone an archive for this machine is made first.
install:
	@[ -d wheels ] || $(MAKE) --no-print-directory release MACHINES=$$(uname -m)
	@$(PYTHON) $$([ -d wheels ] || echo build/release/cornerlight-*/)systemd/installer.py install

# ARM_PYTHON=3.11 for Raspberry Pi OS Bookworm; 5 min, and 5 more the first time.
ARM_PYTHON ?= 3.13

arm64: .venv/dev.stamp
	$(BIN)/python systemd/arm64.py --python $(ARM_PYTHON)

# An hour and a half on two cores; it needs root and the programs that it names.
machine: .venv/dev.stamp
	CORNERLIGHT_MACHINE=1 $(BIN)/python -m pytest --capture=no -o log_cli=true \
	  -o log_cli_level=INFO -o log_cli_format="%(message)s" -o faulthandler_timeout=7200 \
	  tests/acceptance/test_machine.py tests/acceptance/test_card.py tests/acceptance/test_image.py
# Five minutes, and two more for the CAD kernel and the path tracer (400 MB) the first time.
hardware: .venv/hardware.stamp
	.venv/hardware/bin/python -m hardware
	.venv/hardware/bin/python -m pytest --noconftest tests/hardware/parts/test_files.py

rollback:
	@$(PYTHON) systemd/installer.py rollback

uninstall:
	@$(PYTHON) systemd/installer.py uninstall

clean:
	rm -rf .venv build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/python.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Cornerlight needs Python 3.11 or newer; name one with: make PYTHON=python3.13 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv .venv || \
	  { echo "This Python cannot make virtual environments; on Debian: sudo apt install python3-venv" >&2; exit 1; }
	@touch $@

.venv/run.stamp: .venv/python.stamp requirements.lock pyproject.toml
	@echo "Installing the locked dependencies into .venv ..."
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q firmware vision web
	@touch $@

.venv/player.stamp: .venv/run.stamp requirements-player.lock
	@touch .venv/installs-player
	@$(PIP) install --require-hashes -r requirements-player.lock || { rm .venv/installs-player; exit 1; }
	@rm .venv/installs-player
	@touch $@

# In an environment of its own, so that the suite does without the CAD kernel.
.venv/hardware.stamp: .venv/python.stamp requirements-hardware.lock
	@$(PYTHON) -m venv .venv/hardware
	@.venv/hardware/bin/python -m pip --disable-pip-version-check --quiet install \
	  --require-hashes -r requirements-hardware.lock
	@touch $@

.venv/dev.stamp: .venv/player.stamp requirements-dev.lock
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@
