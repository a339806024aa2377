"""Tests of `firmware.lights`."""
