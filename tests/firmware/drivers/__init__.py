"""Tests of `firmware.drivers`."""
