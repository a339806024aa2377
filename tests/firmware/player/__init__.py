"""Tests of `firmware.player`."""
