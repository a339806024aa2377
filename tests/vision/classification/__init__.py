"""Tests of `vision.classification`."""
