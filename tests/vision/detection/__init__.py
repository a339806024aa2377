"""Tests of `vision.detection`."""
