"""Tests of `hardware.parts`: committed files are measured, without the CAD kernel."""
