"""Tests of `firmware.hall.verbs`."""
