"""Tests; numeric libraries use one thread, see `firmware.commands.main.ONE_THREAD`."""

import os

from firmware.commands.main import ONE_THREAD

for variable, value in ONE_THREAD.items():
    os.environ.setdefault(variable, value)
