"""hostile_values.py - bytes that no builder wrote, sent into a server as filters or maps, and used there

By every way there is: a cast, text input, binary COPY, and, past validation, as
the stored bytes of a damaged table.  Each method reports what it has found.
"""

import os
import re
import struct
import tempfile

from psql_script import rows_and_errors
from reports import report


def copy_rows(table, blobs):
    """A statement that fills a table of numbers and bytes."""
    lines = "".join(f"{i}\t\\\\x{blob.hex()}\n" for i, blob in enumerate(blobs))
    return f"COPY {table} FROM STDIN;\n{lines}\\.\n"


def copy_file(fields):
    """A file for COPY ... (FORMAT binary), of rows of one field each: (length it states, bytes)."""
    rows = b"".join(struct.pack(">hi", 1, length) + data for length, data in fields)
    return b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0) + rows + struct.pack(">h", -1)


def check_crash(name, errors):
    """The server's way to say that it went away."""
    if re.search("server closed the connection|terminating connection|recovery mode|could not connect", errors):
        report(name, errors[:500])
        return True
    return False


class HostileValues:
    """Values of one type, ribbonfilter or ribbonmap, in a database."""

    def __init__(self, type_name, database):
        self.type_name = type_name
        self.database = database

    def psql(self, script):
        return rows_and_errors(script, self.database)

    def set_up(self, script, uses):
        """Make the extension, what the script says, and all that can be done with a value, $1.  Returns errors."""
        statements = ",".join("('" + use.replace("'", "''") + "')" for use in uses)
        return self.psql(f"""
            CREATE EXTENSION ribbon;
            {script}

            -- the SQLSTATE of a statement about value $1, or that it went well
            CREATE FUNCTION state(statement text, v {self.type_name}) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN
                EXECUTE statement USING v;
                RETURN 'ok';
            EXCEPTION WHEN OTHERS THEN
                RETURN SQLSTATE;
            END $$;

            CREATE TABLE uses (statement text);
            INSERT INTO uses VALUES {statements};""")[1]

    def cast_and_text(self, blobs, is_right):
        """Casts of bytea and of text agree; is_right(blob, state) says whether rightly.  Returns those that got in."""
        rows, errors = self.psql("CREATE TABLE blobs (i int, b bytea);" + copy_rows("blobs", blobs) + f"""
            CREATE FUNCTION take(b bytea, how text) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN
                IF how = 'text' THEN
                    PERFORM b::text::{self.type_name};
                ELSE
                    PERFORM b::{self.type_name};
                END IF;
                RETURN 'ok';
            EXCEPTION WHEN OTHERS THEN
                RETURN SQLSTATE;
            END $$;
            SELECT i, take(b, 'cast'), take(b, 'text') FROM blobs ORDER BY i;""")
        name = "cast and text input"
        if check_crash(name, errors) or len(rows) != len(blobs):
            report(name, f"{len(rows)} answers for {len(blobs)} {errors}")
            return []
        good = []
        for (_, cast, text), blob in zip(rows, blobs):
            if cast != text or not is_right(blob, cast):
                report(name, f"{blob[:60].hex()} ({len(blob)} bytes): cast {cast}, text {text}")
                return []
            if cast == "ok":
                good.append(blob)
        report(f"{name}: {len(good)} of {len(blobs)} get in")
        return good

    def binary_copy(self, blobs, is_right, damaged=()):
        """COPY of one value each, and of damaged files, of which only a crash is seen."""
        files = [copy_file([(len(blob), blob)]) for blob in blobs] + list(damaged)
        with tempfile.TemporaryDirectory(prefix="ribbon.") as directory:
            os.chmod(directory, 0o755)      # the server reads the files
            script = f"CREATE TABLE copied (v {self.type_name});\n"
            for i, data in enumerate(files):
                with open(f"{directory}/{i}", "wb") as file:
                    file.write(data)
                script += f"COPY copied FROM '{directory}/{i}' WITH (FORMAT binary);\n\\echo {i} :SQLSTATE\n"
            rows, errors = self.psql(script)
        name = "binary COPY"
        states = [row[0].split()[1] for row in rows]
        if check_crash(name, errors) or len(states) != len(files):
            report(name, f"{len(states)} answers for {len(files)} {errors[-500:]}")
            return
        wrong = [(blob[:60].hex(), len(blob), state) for blob, state in zip(blobs, states)
                 if not is_right(blob, "ok" if state == "00000" else state)]
        report(f"{name}: {states[:len(blobs)].count('00000')} of {len(blobs)} got in;"
               f" {len(damaged)} files were damaged themselves", str(wrong[:3]) if wrong else None)

    def use(self, name, table, states, fill):
        """Everything that can be done with a table of values ends with one of these SQLSTATEs."""
        rows, errors = self.psql(fill + f"""
            SELECT statement, s, count(*), min(i) FROM {table}, uses, state(statement, v) s
             GROUP BY 1, 2 ORDER BY 1, 2;""")
        if check_crash(name, errors) or not rows or errors:
            report(name, f"{len(rows)} rows {errors}")
            return
        # a check may find out what no other function looks at
        wrong = [row for row in rows if row[1] not in states and row[:2] != ["SELECT ribbon_check($1)", "XX001"]]
        report(f"{name}: {sum(int(row[2]) for row in rows)} uses, {', '.join(sorted({row[1] for row in rows}))}",
               str(wrong) if wrong else None)

    def use_all(self, good, blobs, states, found_out):
        """Use those that got in, and all as the bytes of damaged tables, which may also be found out."""
        self.use("what got in", "good", states,
                 f"CREATE TABLE good (i int, v {self.type_name});" + copy_rows("good", good))
        for name, storage, compression in (("damaged in the table, plain or in TOAST", "external", ""),
                                           ("damaged in the table, compressed", "extended", "COMPRESSION pglz")):
            table = f"damaged_{storage}"
            self.use(name, table, states | found_out, f"""
                CREATE TABLE {table} (i int, v bytea {compression});
                ALTER TABLE {table} ALTER v SET STORAGE {storage};
                """ + copy_rows(table, blobs) + f"""
                UPDATE pg_attribute SET atttypid = '{self.type_name}'::regtype
                 WHERE attrelid = '{table}'::regclass AND attname = 'v';
                \\c -
                ANALYZE {table};
                """)
        rows, errors = self.psql("SELECT count(*) FROM good")
        report("the server is still there", None if rows == [[str(len(good))]] else f"{rows} {errors}")

    def constants(self, good, query):
        """A constant is looked at when a query is planned, too; query(constant) is one about a table of numbers."""
        script = "CREATE TABLE numbers AS SELECT i FROM generate_series(1, 100) i; ANALYZE numbers;\n"
        for blob in good:
            script += "EXPLAIN " + query(f"'\\x{blob.hex()}'::{self.type_name}") + ";\n"
        rows, errors = self.psql(script)
        name = f"planned as constants ({len(good)})"
        bad = [line for line in errors.splitlines() if "ERROR" in line and "key" not in line]
        if not check_crash(name, errors):
            report(name, str(bad[:5]) if bad or not rows else None)
