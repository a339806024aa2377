"""Tests of `firmware.referee`."""
