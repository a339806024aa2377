"""Tests of `vision.synthetic`."""
