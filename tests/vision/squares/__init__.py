"""Tests of `vision.squares`."""
