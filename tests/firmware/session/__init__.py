"""Tests of `firmware.session`."""
