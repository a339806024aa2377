"""Tests of `firmware.records`."""
