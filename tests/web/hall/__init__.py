"""Tests of `web.hall`."""
