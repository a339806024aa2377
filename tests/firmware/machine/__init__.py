"""Tests of `firmware.machine`."""
