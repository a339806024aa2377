"""Tests of `firmware.rules`."""
