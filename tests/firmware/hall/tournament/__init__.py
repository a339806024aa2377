"""Tests of `firmware.hall.tournament`."""
