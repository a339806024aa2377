"""Tests of `vision.shape`."""
