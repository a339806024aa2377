"""Tests of `vision.setup`."""
