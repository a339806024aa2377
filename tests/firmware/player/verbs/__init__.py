"""Tests of `firmware.player.verbs`."""
