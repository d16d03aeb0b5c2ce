#!/usr/bin/python3
"""test_pages.py - the examples of the command in README.md and docs, and of libribbon.md, run as they stand; options in ribbon.1

What a page leaves out is added: declarations around C, and files of keys for
the command.  psql is one that succeeds: lib/test/test_exchange.py copies to a
server and back.

usage: test/run.sh lib/test_pages
"""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, "test/lib")
from reports import compare, finish

TOP = os.getcwd()
LIMIT = 120
DECLARATIONS = ("ribbon_builder *builder;\n", "ribbon_filter *filter;\n", "void *bytes;\n", "size_t size;\n")
FILES = {"ids": "".join(f"{i}\n" for i in range(100)), "candidates": "".join(f"{i}\n" for i in range(50, 5000)),
         "plans.tsv": "".join(f"{i}\tplan {i % 3}\n" for i in range(100)),
         "all.tsv": "".join(f"{i}\t{'true' if i % 9 == 0 else 'false'}\n" for i in range(1000)),
         "today.tsv": "".join(f"{i}\t{'true' if i % 9 == 0 or i == 7 else 'false'}\n" for i in range(1100)),
         "known.tsv": "".join(f"word {i}\t{'true' if i % 9 == 0 else 'false'}\n" for i in range(1000)),
         "psql": "#!/bin/sh\n"}


def blocks(page, language):
    with open(f"{TOP}/{page}", encoding="utf-8") as file:
        return re.findall(rf"^```{language}\n(.*?)^```", file.read(), re.M | re.S)


def run(*command):
    environment = {**os.environ, "PATH": f"{TOP}/build/lib:.:{os.environ['PATH']}"}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", timeout=LIMIT, check=False, env=environment)
    return done.returncode, done.stdout


def check_command(page):
    for number, block in enumerate(blocks(page, "sh"), 1):
        if "ribbon " in block and "make " not in block:
            status, output = run("bash", "-ec", block)
            compare(f"{page}: commands, block {number}", (status, "ribbon: " in output and output), (0, False))


def check_options():
    """The manual page has the options of the command, and no others."""
    with open(f"{TOP}/lib/command/options/known_options.c", encoding="utf-8") as file:
        known = set(re.findall(r'^\t\{"([a-z0-9-]+)", ', file.read(), re.M))
    with open(f"{TOP}/lib/command/ribbon.1", encoding="utf-8") as file:
        told = re.findall(r"^\.TP\n\.BR? .*?\\-\\-((?:[a-z0-9]|\\-)+)", file.read(), re.M)
    compare("ribbon.1: options", sorted(name.replace("\\-", "-") for name in told), sorted(known))


def check_c(page):
    code = blocks(page, "c")[0]
    missing = [line for line in DECLARATIONS if line not in code]
    with open("program.c", "w", encoding="utf-8") as file:
        file.write(f"#include <ribbon.h>\n#include <stdio.h>\nint main(void) {{\n{''.join(missing)}{code}return 0;\n}}\n")
    compiled = run("cc", "-Wall", "-Werror", f"-I{TOP}/lib/include", "program.c", f"{TOP}/build/lib/libribbon.a", "-lm",
                   "-pthread", "-o", "program")
    compare(f"{page}: a program", (compiled, run("./program")), ((0, ""), (0, "it may be in the set\n")))


def main():
    with tempfile.TemporaryDirectory(prefix="ribbon.") as directory:
        os.chdir(directory)
        for name, text in FILES.items():
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        os.chmod("psql", 0o755)
        check_options()
        for page in ("README.md", "docs/command.md"):
            check_command(page)
        check_c("docs/libribbon.md")
        os.chdir("/")
    finish()


if __name__ == "__main__":
    main()
