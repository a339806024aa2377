"""Tests of `firmware.search`."""
