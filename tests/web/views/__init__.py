"""Tests of `web.views`."""
