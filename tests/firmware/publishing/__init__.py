"""Tests of `firmware.publishing`."""
