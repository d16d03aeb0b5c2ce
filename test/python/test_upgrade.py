#!/usr/bin/python3
"""test_upgrade.py - an upgraded extension is a fresh one

ALTER EXTENSION ribbon UPDATE must leave the same catalogue as CREATE EXTENSION,
from every version that can be installed, by every chain of update scripts.  And
the library serves the catalogue of every version, updated or not: filters and maps
that are there stay as they are, sessions that probe and build go on while the
catalogue is updated, and there is no way back.

The scripts of the tree are taken as they are found; as long as there is one
version, no chain of them leads anywhere.  So two later versions are made up here,
and all of the above is done with these, too.  Is the comparison any good?  Their
update scripts get one mistake each, which must be noticed.

usage: test/run.sh python/test_upgrade

Made-up scripts have no business in the server's directories, so this starts
another server, which has a share directory of its own.  PG_CONFIG names the
pg_config of the one to copy.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import catalogue
import psql_script
from reports import finish, report

DATABASE = "ribbon_upgrade"


def pg_config(what):
    return subprocess.check_output([os.environ.get("PG_CONFIG", "pg_config"), what], encoding="utf-8").strip()


class Scripts:
    """The scripts of an extension directory."""

    def __init__(self, directory):
        self.directory = directory
        self.own = set()

    def write(self, name, text):
        self.own.add(name)
        with open(f"{self.directory}/{name}", "w") as file:
            file.write(text)

    def read(self, name):
        with open(f"{self.directory}/{name}") as file:
            return file.read()

    def remove(self):
        for name in self.own:
            os.unlink(f"{self.directory}/{name}")
        self.own = set()

    def default(self):
        return re.search(r"^default_version\s*=\s*'(.*)'", self.read("ribbon.control"), re.M).group(1)

    def set_default(self, version):
        control = self.read("ribbon.control")
        with open(f"{self.directory}/ribbon.control", "w") as file:
            file.write(re.sub(r"^default_version.*$", f"default_version = '{version}'", control, flags=re.M))

    def chains(self):
        """Lists of versions: from one that has a script of its own, by update scripts, to the default."""
        names = [os.path.basename(path)[len("ribbon--"):-len(".sql")]
                 for path in glob.glob(f"{self.directory}/ribbon--*.sql")]
        steps = [name.split("--") for name in names if "--" in name]
        unfinished = [[name] for name in sorted(names) if "--" not in name]
        finished = []
        while unfinished:
            chain = unfinished.pop()
            if chain[-1] == self.default():
                finished.append(chain)
                continue
            unfinished += [chain + [to] for start, to in steps if start == chain[-1] and to not in chain]
        return sorted(chain for chain in finished if len(chain) > 1)

    def text_to(self, version):
        """What a fresh install of this version runs: a script, and updates."""
        chain = min((chain for chain in self.chains() if version in chain), key=len, default=[version])
        steps = [chain[0]] + [f"{chain[i]}--{chain[i + 1]}" for i in range(chain.index(version))]
        return "".join(self.read(f"ribbon--{step}.sql") for step in steps)


def install(chain=None):
    """The catalogue after a fresh install, or after an old one and these steps."""
    with psql_script.new_database(DATABASE):
        script = "CREATE EXTENSION ribbon" + (f" VERSION '{chain[0]}';" if chain else ";")
        for version in (chain or [])[1:]:
            script += f"ALTER EXTENSION ribbon UPDATE TO '{version}';"
        psql_script.psql(script, DATABASE)
        return catalogue.describe(DATABASE)


def differences(fresh, upgraded):
    return [f"only fresh: {line}" for line in fresh if line not in upgraded] + \
           [f"only upgraded: {line}" for line in upgraded if line not in fresh]


def chain_differences(scripts, fresh):
    """What all chains together make otherwise than a fresh install."""
    return [f"{' -> '.join(chain)}: {line}" for chain in scripts.chains()
            for line in differences(fresh, install(chain))]


# What a version might add and change, by the same statements in its own script
# and in the update to it.
NEWS = """
CREATE FUNCTION ribbon_count(ribbonfilter, text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'ribbon_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_count(ribbonfilter, text) IS 'news';
REVOKE EXECUTE ON FUNCTION ribbon_count(ribbonfilter, text) FROM PUBLIC;
CREATE FUNCTION ribbon_same(ribbonfilter, bytea) RETURNS boolean
	AS 'byteaeq' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_same(ribbonfilter, bytea) IS 'news';
CREATE OPERATOR = (LEFTARG = ribbonfilter, RIGHTARG = bytea, FUNCTION = ribbon_same, RESTRICT = eqsel, HASHES);
COMMENT ON OPERATOR = (ribbonfilter, bytea) IS 'news';
CREATE FUNCTION ribbon_bytes_hash(bytea) RETURNS int AS 'hashvarlena' LANGUAGE internal IMMUTABLE STRICT;
ALTER OPERATOR FAMILY ribbon_hash_ops USING hash ADD
	OPERATOR 1 = (ribbonfilter, bytea), FUNCTION 1 (bytea, bytea) ribbon_bytes_hash(bytea);
CREATE FUNCTION ribbon_left(ribbonfilter) RETURNS bytea AS 'byteasend' LANGUAGE internal;
ALTER FUNCTION ribbon_shrink(ribbonfilter, float8) COST 1000;
CREATE OR REPLACE AGGREGATE ribbon_build(key anycompatible) (
	SFUNC = ribbon_build_transfn, STYPE = internal, SSPACE = 512, FINALFUNC = ribbon_build_finalfn,
	FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_ONLY, COMBINEFUNC = ribbon_build_combinefn,
	SERIALFUNC = ribbon_build_serialfn, DESERIALFUNC = ribbon_build_deserialfn, PARALLEL = SAFE);
DROP CAST (ribbonfilter AS bytea);
CREATE CAST (ribbonfilter AS bytea) WITHOUT FUNCTION;
COMMENT ON CAST (ribbonfilter AS bytea) IS 'news';
ALTER TYPE ribbonfilter SET (STORAGE = main);
"""

# Mistakes in the update: what is written instead of what, and what must be said.
MISTAKES = [
    ("another volatility", "'ribbon_cardinality' LANGUAGE C IMMUTABLE", "'ribbon_cardinality' LANGUAGE C STABLE",
     'ribbon_count(SCHEMA.ribbonfilter,text): provolatile = "s"'),
    ("not parallel safe", "'ribbon_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE",
     "'ribbon_cardinality' LANGUAGE C IMMUTABLE STRICT", 'ribbon_count(SCHEMA.ribbonfilter,text): proparallel = "u"'),
    ("not strict", "'ribbon_cardinality' LANGUAGE C IMMUTABLE STRICT", "'ribbon_cardinality' LANGUAGE C IMMUTABLE",
     "ribbon_count(SCHEMA.ribbonfilter,text): proisstrict = false"),
    ("leakproof", "'ribbon_cardinality' LANGUAGE C IMMUTABLE", "'ribbon_cardinality' LANGUAGE C LEAKPROOF IMMUTABLE",
     "ribbon_count(SCHEMA.ribbonfilter,text): proleakproof = true"),
    ("another C function", "'ribbon_cardinality'", "'ribbon_pg_fpr'", 'prosrc = "ribbon_pg_fpr"'),
    ("a support function too many", "'ribbon_cardinality' LANGUAGE C IMMUTABLE",
     "'ribbon_cardinality' LANGUAGE C SUPPORT ribbon_contains_support IMMUTABLE",
     'support = "SCHEMA.ribbon_contains_support(internal)"'),
    ("no comment", "COMMENT ON OPERATOR = (ribbonfilter, bytea) IS 'news';", "",
     "operator SCHEMA.=(SCHEMA.ribbonfilter,bytea): comment = null"),
    ("more privileges", "REVOKE EXECUTE ON FUNCTION ribbon_count(ribbonfilter, text) FROM PUBLIC;", "", "proacl = null"),
    ("no estimator", "RESTRICT = eqsel, ", "", 'oprrest = "-"'),
    ("no member of the family", ", FUNCTION 1 (bytea, bytea) ribbon_bytes_hash(bytea)", "", "functions = "),
    ("the same, of operators", "OPERATOR 1 = (ribbonfilter, bytea), ", "", "operators = "),
    ("cost", "ALTER FUNCTION ribbon_shrink(ribbonfilter, float8) COST 1000;", "", "procost = 1"),
    ("aggregate", "SSPACE = 512", "SSPACE = 256", "aggtransspace = 256"),
    ("cast", "CAST (ribbonfilter AS bytea) WITHOUT FUNCTION;", "CAST (ribbonfilter AS bytea) WITHOUT FUNCTION AS ASSIGNMENT;",
     'context = "a"'),
    ("type", "STORAGE = main", "STORAGE = extended", 'typstorage = "x"'),
    ("an object too few", "CREATE FUNCTION ribbon_left(ribbonfilter)", "--", "only fresh: function SCHEMA.ribbon_left"),
    ("an object too many", "DROP CAST", "CREATE FUNCTION ribbon_right(ribbonfilter) RETURNS bytea AS 'byteasend' "
     "LANGUAGE internal; DROP CAST", "only upgraded: function SCHEMA.ribbon_right"),
]


def made_up(scripts):
    """Versions "news" and "more" after today's, with right and wrong ways to get there."""
    today = scripts.default()
    script = scripts.text_to(today)
    chains = [chain + ["news", "more"] for chain in scripts.chains() or [[today]]] + [["news", "more"]]
    try:
        scripts.set_default("news")
        scripts.write("ribbon--news.sql", script + NEWS)
        scripts.write(f"ribbon--{today}--news.sql", NEWS)
        fresh = install()
        lines = chain_differences(scripts, fresh)
        report("an update that is right makes no difference", lines[:3] or None)
        report("the library serves a catalogue that is not updated", serves(today))
        keeps_data([today, "news"])
        for name, right, wrong, sign in MISTAKES:
            assert NEWS.count(right) == 1, name
            scripts.write(f"ribbon--{today}--news.sql", NEWS.replace(right, wrong))
            lines = chain_differences(scripts, fresh)
            report(f"an update with a mistake is noticed: {name}",
                   None if any(sign in line for line in lines) else f"{sign} is not in {lines[:3]}")

        # to the version after next by two steps, or by one that forgets something
        scripts.set_default("more")
        more = "COMMENT ON TYPE ribbonfilter IS 'more';\n"
        scripts.write("ribbon--more.sql", script + NEWS + more)
        scripts.write(f"ribbon--{today}--news.sql", NEWS)
        scripts.write("ribbon--news--more.sql", more)
        report("all chains of updates are gone", None if sorted(chains) == scripts.chains() else str(scripts.chains()))
        fresh = install()
        lines = chain_differences(scripts, fresh)
        report("two steps that are right make no difference", lines[:3] or None)
        scripts.write(f"ribbon--{today}--more.sql", NEWS)
        lines = chain_differences(scripts, fresh)
        wrong = [line for line in lines if f"{today} -> more: " not in line]
        report("of two chains, the wrong one is noticed", str(wrong[:3]) if wrong or not lines else None)
    finally:
        scripts.remove()
        scripts.set_default(today)


# What a user of every version can do.
USE = """
SELECT format('%s %s %s %s %s', ribbon_cardinality(f), f @> 7, 7 <@ f, m -> 7, x @> 8)
  FROM (SELECT ribbon_build(i, 0.01) AS f, ribbon_map(i, 2 * i) AS m, ribbon_build_exact(i, i % 9 = 7) AS x
          FROM generate_series(1, 100) AS i) AS s;
"""


def serves(version):
    """What the library lacks for the catalogue of a version."""
    with psql_script.new_database(DATABASE):
        psql_script.psql(f"CREATE EXTENSION ribbon VERSION '{version}'", DATABASE)
        # throws for a function that the library does not have
        psql_script.psql("SELECT fmgr_c_validator(p.oid) FROM pg_proc p JOIN pg_language l ON l.oid = prolang"
                         " WHERE lanname = 'c' AND proname LIKE 'ribbon%'", DATABASE)
        answer = psql_script.psql(USE, DATABASE).strip()
        return None if answer == "100 t t 14 f" else answer


# Filters, an exact set and a map of codes by frequency, of an old catalogue, and what is wrong with them.
DATA = """
CREATE TABLE sets (parameters text, f ribbonfilter, digest text);
CREATE FUNCTION build(parameters text) RETURNS ribbonfilter LANGUAGE plpgsql AS $$
DECLARE f ribbonfilter;
BEGIN
	EXECUTE format('SELECT ribbon_build%s FROM generate_series(1, 5000) AS i', parameters) INTO f;
	RETURN f;
END $$;
INSERT INTO sets SELECT p, build(p)
  FROM unnest('{(i), "(i, 0.0001)", "(i, 0.01, ''kind=homogeneous'')", "(i, 0.01, ''width=128'')",
                "_exact(i, i % 9 = 0)"}'::text[]) AS p;
UPDATE sets SET digest = md5(f::bytea);
CREATE INDEX ON sets USING hash (f);
CREATE TABLE maps AS SELECT ribbon_map(i, i % 10) AS m FROM generate_series(1, 5000) AS i;
CREATE VIEW members AS SELECT count(*) FROM sets, generate_series(1, 5000) AS i WHERE f @> i;
"""
WRONG = """SELECT format('%s %s %s %s', count(*), count(*) FILTER (WHERE md5(f::bytea) <> digest OR build(parameters) <> f),
	(SELECT sum(m.count) FROM members AS m),
	(SELECT count(*) FROM maps, generate_series(1, 5000) AS i WHERE m -> i = i % 10)) FROM sets;
"""
AS_BUILT = "5 0 20555 5000"


class Session(threading.Thread):
    """A session that looks at filters and the map until it is told to stop."""

    def __init__(self):
        super().__init__(daemon=True)
        self.answers = []
        self.ending = False
        self.process = subprocess.Popen(["psql", "-XAtq", "-d", DATABASE], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        self.start()

    def run(self):
        while not self.ending:
            self.process.stdin.write(WRONG)
            self.process.stdin.flush()
            self.answers.append(self.process.stdout.readline().strip())

    def wait_for(self, answers):
        wanted = len(self.answers) + answers
        while len(self.answers) < wanted and self.is_alive():
            self.join(0.01)

    def end(self):
        self.ending = True
        self.join()
        self.process.stdin.close()
        self.process.wait()


def keeps_data(chain):
    """An old catalogue, with filters and a map, is updated while sessions use them."""
    way = " -> ".join(chain)
    with psql_script.new_database(DATABASE):
        psql_script.psql(f"CREATE EXTENSION ribbon VERSION '{chain[0]}';{DATA}", DATABASE)
        sessions = [Session() for _ in range(2)]
        for session in sessions:
            session.wait_for(3)
        for version in chain[1:]:
            psql_script.psql(f"ALTER EXTENSION ribbon UPDATE TO '{version}'", DATABASE)
        for session in sessions:
            session.wait_for(3)
            session.end()
        answers = [answer for session in sessions for answer in session.answers]
        wrong = [answer for answer in answers if answer != AS_BUILT]
        report(f"{way}: sessions go on while the catalogue is updated", str(wrong[:3]) if wrong or len(answers) < 12 else None)
        answer = psql_script.psql(WRONG, DATABASE)
        report(f"{way}: filters and map are as they were", None if answer == AS_BUILT else answer)
        said = psql_script.error_of(f"\\set VERBOSITY verbose\nALTER EXTENSION ribbon UPDATE TO '{chain[0]}'", DATABASE)
        report(f"{way}: there is no way back, and the server says so",
               None if "22023" in said and "has no update path" in said else said or "it is taken")


def inside():
    scripts = Scripts(pg_config("--sharedir") + "/extension")
    chains = scripts.chains()
    lines = chain_differences(scripts, install()) if chains else []
    if chains:
        report(f"updates to {scripts.default()} give what a fresh install gives ({len(chains)} chains)",
               "\n".join(lines[:10]) or None)
    else:
        print(f"# no version before {scripts.default()}: nothing to update but what is made up")
    for version in sorted({version for chain in chains for version in chain}):
        report(f"the library serves the catalogue of {version}", serves(version))
    for chain in chains:
        keeps_data(chain)
    missing = [path for path in glob.glob("sql/ribbon--*.sql")
               if scripts.read(os.path.basename(path)) != open(path).read()]
    report("all of this tree's scripts are what is installed", str(missing) if missing else None)
    made_up(scripts)


def main():
    root = tempfile.mkdtemp(prefix="ribbon.", dir="/tmp")
    try:
        copied = subprocess.check_output(["test/lib/copy_server.sh", root], encoding="utf-8").strip()
        environment = dict(os.environ, PG_CONFIG=copied, RIBBON_UPGRADE_INSIDE="yes")
        return subprocess.call(["test/lib/cluster.sh", sys.executable, __file__], env=environment)
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    if "RIBBON_UPGRADE_INSIDE" not in os.environ:
        sys.exit(main())
    inside()
    finish()
