"""Tests of the whole house: a table, its page and its lights together."""
