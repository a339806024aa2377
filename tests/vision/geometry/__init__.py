"""Tests of `vision.geometry`."""
