"""Tests of `firmware.game`."""
