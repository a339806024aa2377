"""Tests of `vision.tracking`."""
