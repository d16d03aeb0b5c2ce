#!/usr/bin/python3
"""test_settings.py - no setting of a session changes what an example makes or answers

Every SQL example of README.md and docs/*.md is run in two databases: in one with the
server's own settings, and in one where each setting that texts are written or read by
is another.  Queries must give the same rows (shown under the same settings), and all
filters, maps and keys that are stored then must have the same bytes.

usage: test/run.sh python/test_settings
"""

import re
import subprocess

import psql_script
from documented import AUDIENCE, ELSEWHERE, PAGES, examples, prepare_database, with_values
from reports import check, compare, finish, report

USUAL = {"DateStyle": "ISO, MDY", "IntervalStyle": "postgres", "TimeZone": "UTC", "extra_float_digits": "1",
         "bytea_output": "hex", "xmlbinary": "base64", "xmloption": "content", "quote_all_identifiers": "off",
         "standard_conforming_strings": "on", "escape_string_warning": "on", "transform_null_equals": "off",
         "lc_monetary": "C", "lc_numeric": "C", "lc_time": "C"}
# Asia/Shanghai has an abbreviation that is read as another zone's.
ODD = {"DateStyle": "SQL, DMY", "IntervalStyle": "iso_8601", "TimeZone": "Asia/Shanghai", "extra_float_digits": "-15",
       "bytea_output": "escape", "xmlbinary": "hex", "xmloption": "document", "quote_all_identifiers": "on",
       "standard_conforming_strings": "off", "escape_string_warning": "off", "transform_null_equals": "on"}
# Another locale, where the system has one: what money and numbers look like, names of days.
LOCALES = subprocess.run(["locale", "-a"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout.split()
ODD.update({name: ([locale for locale in LOCALES if "utf8" in locale and not locale.startswith("C")] or ["C.UTF-8"])[0]
            for name in ("lc_monetary", "lc_numeric", "lc_time")})
DATABASES = {"ribbon_usual": USUAL, "ribbon_odd": ODD}
# From PostgreSQL 19 on there is one way to write strings.
if int(psql_script.psql("SHOW server_version_num", "postgres")) >= 190000:
    for values in DATABASES.values():
        del values["standard_conforming_strings"], values["escape_string_warning"]

# What depends on the time at which it is asked, or on the day that a zone has.
MOMENT = r"WHERE late|ribbon_progress|\bage\b|now\(\)|current_date"
TYPES = "'ribbonfilter'::regtype, 'ribbonmap'::regtype, 'ribbonkey'::regtype, 'ribbonkeys'::regtype"
STORED = f"""
SELECT format('SELECT %L, md5(string_agg(%I::text, '' '' ORDER BY %I::text)) FROM %s', attrelid::regclass || '.' || attname, attname, attname, attrelid::regclass)
  FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid
 WHERE atttypid IN ({TYPES}) AND NOT attisdropped AND relkind IN ('r', 'm') ORDER BY attrelid::regclass::text, attname \\gexec
"""


# README.md's ten million ids, which test_docs.py has as they are: settings mean the same for fewer.
MANY, FEWER = "10000000)", "100000)"


def settings(values):
    return "".join(f"SET {name} = '{value}';\n" for name, value in values.items())


def answer(statement, variables, database):
    """What a statement gives under the settings of the database, shown under the usual ones."""
    if DATABASES[database] is ODD:
        statement = statement.replace("'\\x", "E'\\\\x")    # a literal is the caller's to write
    if not statement.startswith("SELECT") or re.search(r"\\g(set|exec)$", statement):
        return psql_script.psql(variables + statement, database)
    query = re.sub(r";\s*(--.*)?$", "", statement)
    return psql_script.psql(f"{variables}\nBEGIN; DECLARE answer CURSOR WITH HOLD FOR\n{query};\nCOMMIT;\n"
                            f"{settings(USUAL)} FETCH ALL FROM answer;", database)


def try_statement(page, statement, variables):
    """Run it in both databases."""
    answers = [answer(statement, variables, database) for database in DATABASES]
    if statement.startswith("SELECT") and not re.search(MOMENT, statement):
        compare(f"{page}: {' '.join(statement.split())[:90]}", answers[1], answers[0])


def run(pages):
    """Run pages in databases of their own; how many columns of filters, maps and keys each leaves."""
    for database, values in DATABASES.items():
        prepare_database(database, pages[0])
        psql_script.psql("".join(f"ALTER DATABASE {database} SET {name} = '{value}';\n" for name, value in values.items()), database)
    return sum(map(run_page, pages))


def run_page(page):
    for block in examples(page):
        variables = ""
        for statement in block:
            if re.search(ELSEWHERE, statement):
                continue
            statement = with_values(statement).replace(MANY, FEWER)
            try:
                try_statement(page, statement, variables)
            except RuntimeError as error:
                report(f"{page}: {' '.join(statement.split())[:90]}", str(error))
            if statement.endswith("\\gset"):
                variables += statement + "\n"
        for database in DATABASES:
            psql_script.psql(AUDIENCE, database)
    usual, odd = [psql_script.psql(settings(USUAL) + STORED, database) for database in DATABASES]
    compare(f"{page}: what is stored", odd, usual)
    return len(usual.split("\n")) if usual else 0


check("README.md has the ten million ids", any(MANY in statement for block in examples("README.md") for statement in block), MANY)

# Pages without an example share their databases.
ncolumns = 0
for pages in [[page] for page in PAGES if examples(page)] + [[page for page in PAGES if not examples(page)]]:
    with psql_script.new_database("ribbon_usual"), psql_script.new_database("ribbon_odd"):
        ncolumns += run(pages)
check("there were columns of filters, maps and keys", ncolumns >= 30, ncolumns)
finish()
