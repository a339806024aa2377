"""Tests of `firmware.storage`."""
