#!/usr/bin/python3
"""test_docs.py - do the documented statements work, and as prepared statements, too?

Every SQL example of README.md and docs/*.md is run as it is written, page by
page, on small tables.  Each that can be prepared is prepared with parameters in
the place of its constants, none of which has a type: drivers send them so.  The
answer must be the same.  A block that is marked "sql session" is run in one
session, not prepared.  What would go wrong is an example that leaves a key's
type to the constant: in the place of 42, $1 is text.  Where a comment says the
answer ("-- t, f"), it must be that.

usage: test/run.sh python/test_docs
"""

import re

from documented import AUDIENCE, ELSEWHERE, PAGES, examples, prepare_database, with_values
from psql_script import new_database, psql
from reports import check, compare, finish, report

DATABASE = "ribbon_docs"

# What finds nothing where all is well.
GOOD_NEWS = r"uses_equality|WHERE late|FROM ribbon_progress|ribbon_check_table|<> digest"
# The answer that a comment says: fields of a row, or of the last column of rows.
ANSWER = re.compile(r";\s*--\s+((?:[\w.]+(?: kB)?, )+[\w.]+(?: kB)?|[\d.]+)(?::[^\n]*)?$")
# What stands between the answers of statements of a session.
END = "END-OF-AN-ANSWER"
# A constant that may be a parameter: a string or a number, not the number of a column after GROUP BY or ORDER BY,
# nor in a name, nor a parameter.
CONSTANT = re.compile(r"'(?:[^']|'')*'|(?<![\w$.])\d+(?:\.\d+)?(?![\w.])")


def prepared(statement):
    """A statement with parameters for its constants, as PREPARE and EXECUTE, and which of them were numbers; or None
    if it cannot be prepared or has no constant."""
    body = re.sub(r"\s*--.*$", "", statement, flags=re.M).strip().rstrip(";")
    if not re.match(r"SELECT|INSERT", body) or body.endswith(("gset", "gexec")) or ":'" in body:
        return None
    values = []

    def parameter(match):
        if re.search(r"(GROUP|ORDER) BY\s*$", body[:match.start()]):
            return match.group()
        values.append(match.group())
        return f"${len(values)}"

    body = CONSTANT.sub(parameter, body)
    if not values:
        return None
    arguments = ", ".join(value if value.startswith("'") else f"'{value}'" for value in values)
    return f"PREPARE example AS {body};", f"EXECUTE example({arguments});", [not value.startswith("'") for value in values]


def rolled_back(script):
    return psql(f"BEGIN;\n{script}\nROLLBACK;")


def try_prepared(name, statement):
    """What it answers when prepared, where no number may have become text; None if it cannot be.  Nothing is changed."""
    ways = prepared(statement)
    if ways is None:
        return None
    prepare, execute, numbers = ways
    types = rolled_back(f"{prepare} SELECT unnest(parameter_types) FROM pg_prepared_statements;").split("\n")
    check(f"{name}: no number is text", len(types) == len(numbers) and not any(
        number and type == "text" for number, type in zip(numbers, types)), types)
    return rolled_back(prepare + execute)


def check_answer(name, statement, answer):
    """It must be something, and what a comment says; whether one does."""
    check(f"{name}: something is found", answer not in ("", "0", "f"), answer)
    said = ANSWER.search(statement)
    if said:
        rows = [row.split("|") for row in answer.split("\n")]
        found = rows[0] if len(rows) == 1 else [row[-1] for row in rows]
        compare(f"{name}: the answer", ", ".join(field or "NULL" for field in found), said[1])
    return said is not None


def run_session(page, block):
    """Run a block's statements in one session; of how many a comment says the answer."""
    answers = psql("".join(f"{with_values(statement)}\n\\echo {END}\n" for statement in block)).split(END)
    return sum(check_answer(f"{page}: in a session: {statement[:80]}", statement, answer.strip())
               for statement, answer in zip(block, answers) if statement.startswith("SELECT"))


def run(page):
    """Run a page; how many statements it has, how many were prepared, and of how many a comment says the answer."""
    nstatements, nprepared, nanswers = 0, 0, 0
    if not examples(page) and not examples(page, " session"):
        return 0, 0, 0
    with new_database(DATABASE):
        prepare_database(DATABASE, page)
        for block in examples(page):
            variables = ""
            for statement in block:
                if re.search(ELSEWHERE, statement):
                    continue
                name = f"{page}: {' '.join(statement.split())[:90]}"
                statement = with_values(statement)
                try:
                    answer_prepared = try_prepared(name, statement)
                    answer = psql(variables + statement)
                    if answer_prepared is not None:
                        compare(f"{name}: prepared without types", answer_prepared, answer)
                        nprepared += 1
                    if re.search(GOOD_NEWS, statement):
                        check(f"{name}: nothing is found", answer == "", answer)
                    elif statement.startswith("SELECT") and not statement.endswith(("gset", "gexec")):
                        nanswers += check_answer(name, statement, answer)
                except RuntimeError as error:
                    report(name, str(error))
                nstatements += 1
                if statement.endswith("\\gset"):
                    variables += statement + "\n"
            psql(AUDIENCE)
        for block in examples(page, " session"):
            try:
                nanswers += run_session(page, block)
            except RuntimeError as error:
                report(f"{page}: in a session: {block[0]}", str(error))
            nstatements += len(block)
    return nstatements, nprepared, nanswers


totals = [run(page) for page in PAGES]
nstatements, nprepared, nanswers = map(sum, zip(*totals))
check("there were statements, some to prepare, and answers", nstatements >= 20 and nprepared >= 8 and nanswers >= 6, totals)
finish()
