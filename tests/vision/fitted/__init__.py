"""Tests of `vision.fitted`."""
