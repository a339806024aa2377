"""Tests of `firmware.hall.link`."""
