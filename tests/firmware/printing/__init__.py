"""Tests of `firmware.printing`."""
