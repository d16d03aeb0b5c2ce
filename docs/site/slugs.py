"""slugs.py - chapters are called in the site as in a checkout: links are the same"""

import re


def github(text, separator):
    return re.sub(r"[^\w -]", "", text.lower()).replace(" ", separator)
