"""Tests of `web.i18n`."""
