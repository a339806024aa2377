"""Tests of the whole program: a table, its page and its lights together."""
