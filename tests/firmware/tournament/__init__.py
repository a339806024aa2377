"""Tests of `firmware.tournament`."""
