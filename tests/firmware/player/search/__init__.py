"""Tests of `firmware.player.search`."""
