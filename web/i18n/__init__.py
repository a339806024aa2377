"""Texts in each viewer's language.

phrases    all texts that a viewer reads, in English, marked for translation
wording    sentences made from codes
hall_phrases  the texts of a hall's pages
hall_wording  sentences of a hall's pages
languages  the languages, and the choice of one for a viewer
"""
