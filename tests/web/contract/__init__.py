"""Tests of `web.contract`."""
