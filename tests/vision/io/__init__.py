"""Tests of `vision.io`."""
