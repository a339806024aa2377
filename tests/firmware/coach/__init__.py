"""Tests of `firmware.coach`."""
