"""Tests of `acceptance`."""
