"""A dictionary with a bounded number of entries."""

from web.bounded_map import BoundedMap


def test_the_entry_that_was_set_longest_ago_is_dropped() -> None:
    bounded = BoundedMap[str, int](2)
    bounded["a"], bounded["b"] = 1, 2
    bounded["a"] = 3
    bounded["c"] = 4
    assert dict(bounded) == {"a": 3, "c": 4}


def test_reading_an_entry_does_not_renew_it() -> None:
    bounded = BoundedMap[str, int](2)
    bounded["a"], bounded["b"] = 1, 2
    assert bounded["a"] == 1
    bounded["c"] = 3
    assert list(bounded) == ["b", "c"]
