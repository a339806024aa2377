"""Tests of `web.presentation`."""
