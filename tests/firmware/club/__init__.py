"""Tests of `firmware.club`."""
