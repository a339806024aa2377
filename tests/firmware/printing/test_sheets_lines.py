"""Lines break where a reader of the language expects it, and lose no character."""

from firmware.printing.sheets import broken


def test_words_are_kept_whole_and_spaces_at_the_end_are_dropped() -> None:
    assert broken("one two three", 7, len) == ["one two", "three"]
    assert broken("one  two", 3, len) == ["one", "two"]


def test_a_word_that_is_too_long_has_a_line_of_its_own() -> None:
    assert broken("an unbreakable word", 5, len) == ["an", "unbreakable", "word"]


def test_japanese_breaks_between_characters_but_not_before_a_full_stop() -> None:
    assert broken("置きます。次に", 4, len) == ["置きま", "す。次に"]
    assert broken("番号は「pair」です", 6, len) == ["番号は", "「pair」", "です"]


def test_a_text_of_nothing_is_one_empty_line() -> None:
    assert broken("", 10, len) == [""]
