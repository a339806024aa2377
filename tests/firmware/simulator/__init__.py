"""Tests of `firmware.simulator`."""
