"""The tests run as the program does: see `firmware.cli.ONE_THREAD`."""

import os

from firmware.cli import ONE_THREAD

for variable, value in ONE_THREAD.items():
    os.environ.setdefault(variable, value)
