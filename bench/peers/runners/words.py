"""A text → its words and word 5-shingles, as neardup defines them; one tokenisation for all peers that let us choose it."""
import re

import regex

SHINGLE = 5

ascii_words = re.compile(r"\w+").findall
# Scripts written without spaces: each letter, mark or number is a word by itself.
alone = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
unicode_words = regex.compile(
    rf"[[\p{{L}}\p{{M}}\p{{N}}]&&{alone}]|[[\p{{L}}\p{{M}}\p{{N}}_]--{alone}]+", regex.VERSION1
).findall


def words(text):
    if text.isascii():
        return ascii_words(text.lower())
    # The simple lowercase mapping: str.lower differs in these two alone.
    return unicode_words(text.replace("\u0130", "i").replace("\u03a3", "\u03c3").lower())


def shingles(text):
    found = words(text)
    if len(found) < SHINGLE:
        return [" ".join(found)] if found else []
    return list(map(" ".join, zip(*(found[i:] for i in range(SHINGLE)))))
