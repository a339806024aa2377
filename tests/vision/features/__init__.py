"""Tests of `vision.features`."""
