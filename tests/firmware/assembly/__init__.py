"""Tests of `firmware.assembly`."""
