# commands.mk - make test, unit, demo, format: what is not PostgreSQL's own
#
# Included last by the top Makefile.  The scripts install what they miss and
# call make again, so that they also work where PostgreSQL is not there yet.

.PHONY: test unit unit-programs demo setup format format-check clean-test

test:
	@test/run.sh

unit:
	@test/run.sh unit

demo:
	@test/demo.sh

setup:
	@test/setup.sh build test demo

# Without PostgreSQL there is no rule for the extension: say so.

ifeq ($(PGXS),)
.PHONY: all install installcheck
.DEFAULT_GOAL := all
all install installcheck:
	@echo "PostgreSQL's development files are missing: run make setup" >&2; exit 1
endif

# The core on its own: no server header in sight, every sanitizer on.

UNIT_DIR = build/unit
UNIT_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g -MMD -MP \
	-Wall -Wextra -Werror -Isrc/core \
	-fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_CORE = $(patsubst src/core/%.c,$(UNIT_DIR)/%.o,$(wildcard src/core/*.c))
UNIT_TESTS = $(patsubst test/unit/%.c,$(UNIT_DIR)/%.o,$(wildcard test/unit/test_*.c))
UNIT_PROGRAMS = $(UNIT_TESTS:.o=)

unit-programs: $(UNIT_CORE) $(UNIT_PROGRAMS)

$(UNIT_CORE): $(UNIT_DIR)/%.o: src/core/%.c | $(UNIT_DIR)
	$(CC) $(UNIT_CFLAGS) -c -o $@ $<

$(UNIT_TESTS): $(UNIT_DIR)/%.o: test/unit/%.c | $(UNIT_DIR)
	$(CC) $(UNIT_CFLAGS) -c -o $@ $<

$(UNIT_PROGRAMS): %: %.o $(UNIT_CORE)
	$(CC) $(UNIT_CFLAGS) -o $@ $< $(UNIT_CORE) -lm -pthread

$(UNIT_DIR):
	mkdir -p $@

-include $(wildcard $(UNIT_DIR)/*.d)

clean: clean-test
clean-test:
	rm -rf build

# One formatter for everybody.

CLANG_FORMAT = clang-format
FORMATTED = $(wildcard src/*/*.[ch] test/*/*.[ch])

format:
	$(CLANG_FORMAT) -i $(FORMATTED)

format-check:
	$(CLANG_FORMAT) --dry-run --Werror $(FORMATTED)

# What does it cost?  "make bench" measures into build/bench, and prints tables:
# of the core ("make bench-core"), then of the extension on a server ("make
# bench-sql").  "make bench bench-docs" writes them into docs/benchmarks.md, too,
# and the plots beside it.  What changes them: see test/bench/{run,sql}.sh.

BENCH_KEYS = 1e4 1e5 1e6 1e7
BENCH_DIR = build/bench
BENCH_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -O3 -MMD -MP \
	-Wall -Wextra -Isrc/core -Itest/unit
BENCH_CORE = $(patsubst src/core/%.c,$(BENCH_DIR)/%.o,$(wildcard src/core/*.c))
BENCH_PROGRAMS = $(patsubst test/bench/%.c,$(BENCH_DIR)/%,$(wildcard test/bench/*.c))

export BENCH_ROUNDS BENCH_SIZES PEERS
export BENCH_SQL_ROWS BENCH_SQL_ROUNDS BENCH_SQL_ONLY BENCH_SQL_HUGE BENCH_SQL_TIMEOUT

.PHONY: bench bench-core bench-sql bench-docs bench-programs

# one after the other, also with -j
bench:
	@$(MAKE) --no-print-directory bench-core
	@$(MAKE) --no-print-directory bench-sql

bench-core: bench-programs
	@CC="$(CC)" test/bench/run.sh $(BENCH_DIR) $(BENCH_KEYS)
	@test/bench/report.py $(BENCH_DIR)

bench-sql:
	@test/bench/sql.sh $(BENCH_DIR)
	@test/bench/sql_report.py $(BENCH_DIR)

# of what has been measured
bench-docs:
	@[ ! -f $(BENCH_DIR)/machine.csv ] || test/bench/report.py $(BENCH_DIR) docs
	@[ ! -f $(BENCH_DIR)/sql_machine.csv ] || test/bench/sql_report.py $(BENCH_DIR) docs

bench-programs: $(BENCH_PROGRAMS)

$(BENCH_CORE): $(BENCH_DIR)/%.o: src/core/%.c | $(BENCH_DIR)
	$(CC) $(BENCH_CFLAGS) -c -o $@ $<

$(BENCH_PROGRAMS): $(BENCH_DIR)/%: test/bench/%.c $(BENCH_CORE)
	$(CC) $(BENCH_CFLAGS) -o $@ $< $(BENCH_CORE) -lm

$(BENCH_DIR):
	mkdir -p $@

-include $(wildcard $(BENCH_DIR)/*.d)
