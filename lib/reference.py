#!/usr/bin/python3
"""reference.py - docs/libribbon.md, from the comments of lib/include/ribbon.h

usage: lib/reference.py [--check]

Writes the page; with --check says whether it is as it would be written.
"""

import re
import sys

HEADER = "lib/include/ribbon.h"
PAGE = "docs/libribbon.md"

# what is set as code
NAME = re.compile(r"(?<![\w`])(_?[A-Z]{3,}_[A-Z0-9_]+|_[A-Z][A-Z_]+|ribbon_[a-z0-9_]+|\*[a-z]+)\b")


def text_of(comment):
    """Paragraphs of a comment; what is indented by a tab is code."""
    lines = [re.sub(r"^ ?\* ?", "", line.rstrip()) for line in comment.strip("/*").split("\n")]
    paragraphs, code, last = [], [], []

    def end(block):
        if block:
            paragraphs.append(" ".join(block))
            block.clear()

    def end_code():
        while code and not code[-1]:
            code.pop()
        if code:
            paragraphs.append("```c\n" + "\n".join(code) + "\n```")
            code.clear()

    for line in lines:
        if line.startswith("\t"):
            end(last)
            code.append(re.sub(r"^(\t*) ", r"\1", line[1:]).replace("\t", "    "))
        elif not line.strip() and code:
            code.append("")
        elif not line.strip():
            end(last)
        else:
            end_code()
            last.append(line.strip())
    end_code()
    end(last)
    return paragraphs


def wrapped(paragraph, columns=120):
    """A paragraph in lines; code as it is."""
    if paragraph.startswith("```"):
        return paragraph
    lines = [""]
    for word in NAME.sub(r"`\1`", paragraph).split():
        if len(lines[-1]) + len(word) + 1 > columns and lines[-1]:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(lines)


def parts_of(source):
    """Comments, and the declarations behind each, in their order; chapters are comments with dashes."""
    body = source.split("LIBRIBBON_BEGIN\n\n", 1)[1].rsplit("LIBRIBBON_END", 1)[0]
    blocks = re.split(r"\n\n(?=\S)", body.strip())
    for block in blocks:
        comment = re.match(r"/\*.*?\*/", block, re.S)
        yield (comment.group(0) if comment else ""), block[len(comment.group(0)) if comment else 0:].strip("\n")


def main():
    with open(HEADER, encoding="utf-8") as file:
        source = file.read()
    first = text_of(re.match(r"/\*.*?\*/", source, re.S).group(0))
    out = ["# libribbon", "",
           "The library in C: `make lib && make install-libribbon` (`DESTDIR` and `PREFIX` say where), or Debian's packages\n"
           "`libribbon-dev` and `libribbon1`; then `cc program.c $(pkg-config --cflags --libs ribbon)`. This page is made from\n"
           "the comments of its header, `lib/include/ribbon.h`, by `lib/reference.py`.", ""]
    for paragraph in first[1:]:
        out += [wrapped(paragraph), ""]
    for comment, code in parts_of(source):
        chapter = re.match(r"/\* ---- (.*) ---- \*/", comment)
        if chapter:
            out += [f"## {chapter.group(1)}", ""]
            continue
        for paragraph in text_of(comment):
            out += [wrapped(paragraph), ""]
        if code:
            out += ["```c", code.expandtabs(4), "```", ""]
    page = "\n".join(out).rstrip() + "\n"

    if sys.argv[1:] == ["--check"]:
        with open(PAGE, encoding="utf-8") as file:
            current = file.read() == page
        print("ok - docs/libribbon.md is what the header says" if current else
              "not ok - docs/libribbon.md is not what the header says: run lib/reference.py")
        sys.exit(not current)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
