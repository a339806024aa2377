"""Texts in each viewer's language.

phrases    all texts that a viewer reads, in English, marked for translation
wording    sentences made from codes
languages  the languages, and the choice of one for a viewer
"""
