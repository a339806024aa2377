"""Tests of `firmware`."""
