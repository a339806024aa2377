"""Tests of `web.security`."""
