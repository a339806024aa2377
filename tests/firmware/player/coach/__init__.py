"""Tests of `firmware.player.coach`."""
