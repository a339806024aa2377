"""Tests of `firmware.commands`."""
