# commands.mk - make test, unit, fuzz, demo, format: what is not PostgreSQL's own
#
# Included last by the top Makefile.  The scripts install what they miss and
# call make again, so that they also work where PostgreSQL is not there yet.

.PHONY: test unit unit-programs demo setup format format-check clean-test

# What there is to make: make help.

.PHONY: help
help:
	@sed 's/^/  make /' test/help.txt

# All tests, or those named: make test TEST="unit sql/stats", see test/run.sh.
TEST =

test:
	@bash test/run.sh $(TEST)

unit:
	@bash test/run.sh unit

demo:
	@bash test/demo/run.sh

# The recipes of docs/scaling.md: make test-citus CITUS=DIRECTORY, see test/citus/run.sh.
.PHONY: test-citus
test-citus:
	@CITUS="$(CITUS)" CITUS_PG_CONFIG="$(CITUS_PG_CONFIG)" bash test/citus/run.sh

setup:
	@bash test/lib/setup.sh build test demo

# Without PostgreSQL there is no rule for the extension: say so.

ifeq ($(PGXS),)
.PHONY: all install installcheck
.DEFAULT_GOAL := all
all install installcheck:
	@echo "PostgreSQL's development files are missing: make setup installs them (Debian: postgresql-server-dev-all)," >&2
	@echo "or name the server's: make PG_CONFIG=/path/to/pg_config; without a server: make help" >&2; exit 1
endif

# Objects of build/ are named for their sources: of src/core, and of what is put
# together with it.

CORE = $(patsubst src/core/%.c,%.o,$(wildcard src/core/*/*.c))

# $(call compile,FOLDER,SOURCES,COMMAND): how objects of a folder are made
define compile
$(1)/%.o: $(2)/%.c
	@mkdir -p $$(@D)
	$(3) -c -o $$@ $$<
endef

# The core on its own: no server header in sight, every sanitizer on.  Lines are
# what a sanitizer tells; variables, too, would take half a gigabyte more.

UNIT_DIR = build/unit
UNIT_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g1 -MMD -MP \
	-Wall -Wextra -Werror -Isrc/core $(ARITHMETIC) \
	-fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_CORE = $(addprefix $(UNIT_DIR)/,$(CORE))
UNIT_PROGRAMS = $(patsubst test/unit/%.c,$(UNIT_DIR)/%,$(wildcard test/unit/test_*.c))

# What tests run for minutes is compiled for speed; but probes and vectors take longer to
# compile then than that saves.
UNIT_FAST = $(addprefix $(UNIT_DIR)/,$(filter-out probe/% %_vector.o,$(CORE)))
$(UNIT_FAST): UNIT_CFLAGS := $(patsubst -O1,-O2,$(UNIT_CFLAGS))

unit-programs: $(UNIT_CORE) $(UNIT_PROGRAMS)

$(eval $(call compile,$(UNIT_DIR),src/core,$(CC) $$(UNIT_CFLAGS)))
$(eval $(call compile,$(UNIT_DIR),test/unit,$(CC) $(UNIT_CFLAGS)))

$(UNIT_PROGRAMS): %: %.o $(UNIT_CORE)
	$(CC) $(UNIT_CFLAGS) -o $@ $^ -lm -pthread

-include $(wildcard $(UNIT_DIR)/*.d $(UNIT_DIR)/*/*.d)

# Hostile bytes and hostile sets: test/fuzz/fuzz.h.  "make test" runs a fixed
# sequence of inputs with the driver; "make fuzz" lets clang's fuzzer look for
# FUZZ_SECONDS, and keeps what it has learnt in build/fuzz/corpus-*.

FUZZ_SECONDS = 60
FUZZ_TARGETS = filter probe quick build store set keys map exact library
FUZZ_DIR = build/fuzz
FUZZ_CFLAGS = $(UNIT_CFLAGS) -Itest/unit -Isrc/pg -Ilib

# Every target, the files of src/pg that know no server, and libribbon.
FUZZ_SOURCES = $(filter-out driver.c libfuzzer.c,$(notdir $(wildcard test/fuzz/*.c)))
FUZZ_OBJS = $(FUZZ_SOURCES:.c=.o) key/keysbytes.o \
	$(patsubst %.c,%.o,$(wildcard lib/src/*.c))

# Files of the core that cut sets into windows take the sizes of test/fuzz/windows.h;
# what make unit has of the others will do.
FUZZ_WINDOWS = -include test/fuzz/windows.h
WINDOWED = construct/build.o construct/cut.o set/derive.o
DRIVER_OBJS = $(addprefix $(FUZZ_DIR)/,driver.o $(FUZZ_OBJS) $(WINDOWED)) \
	$(addprefix $(UNIT_DIR)/,$(filter-out $(WINDOWED),$(CORE)))

LIBFUZZER_CFLAGS = $(patsubst -O1,-O2,$(FUZZ_CFLAGS)) -Wno-unknown-warning-option -Wno-pass-failed -fsanitize=fuzzer
LIBFUZZER_OBJS = $(addprefix $(FUZZ_DIR)/clang/,$(CORE) $(FUZZ_OBJS))
LIBFUZZERS = $(patsubst %,$(FUZZ_DIR)/libfuzzer-%,$(filter-out quick,$(FUZZ_TARGETS)))

# "quick" is the probe target once more, without sanitizers and with the plainest
# coverage: forbidden pages show what is read or written out of bounds, and four
# times as many inputs are tried.
QUICK_CFLAGS = -fsanitize=fuzzer $(filter-out -fsanitize% -fno-sanitize%,$(LIBFUZZER_CFLAGS)) \
	-fno-sanitize-coverage=trace-cmp,indirect-calls
QUICK_OBJS = $(addprefix $(FUZZ_DIR)/quick/,$(CORE) $(FUZZ_OBJS))

.PHONY: fuzz fuzz-clients fuzz-programs fuzz-driver
fuzz:
	@bash test/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_TARGETS)

# JavaScript and Python on mutations of the library target.
fuzz-clients:
	@bash test/fuzz/clients.sh $(FUZZ_INPUTS)

fuzz-driver: $(FUZZ_DIR)/driver
fuzz-programs: $(FUZZ_DIR)/driver $(LIBFUZZERS) $(if $(filter quick,$(FUZZ_TARGETS)),$(FUZZ_DIR)/libfuzzer-quick)

# $(call fuzz_objects,FOLDER,COMMAND)
define fuzz_objects
$(call compile,$(1),src/core,$(2) $(FUZZ_WINDOWS))
$(call compile,$(1),src/pg,$(2))
$(call compile,$(1)/lib,lib,$(2))
$(call compile,$(1),test/fuzz,$(2))
endef

# without libFuzzer's main function, which programs get when they are linked
no_main = $(subst -fsanitize=fuzzer,-fsanitize=fuzzer-no-link,$(1))

$(eval $(call fuzz_objects,$(FUZZ_DIR),$(CC) $(FUZZ_CFLAGS)))
$(eval $(call fuzz_objects,$(FUZZ_DIR)/clang,clang $(call no_main,$(LIBFUZZER_CFLAGS))))
$(eval $(call fuzz_objects,$(FUZZ_DIR)/quick,clang $(call no_main,$(QUICK_CFLAGS))))

$(FUZZ_DIR)/driver: $(DRIVER_OBJS)
	$(CC) $(FUZZ_CFLAGS) -o $@ $^ -lm -pthread

$(LIBFUZZERS): $(FUZZ_DIR)/libfuzzer-%: test/fuzz/libfuzzer.c $(LIBFUZZER_OBJS)
	clang $(LIBFUZZER_CFLAGS) -DFUZZ_TARGET=fuzz_$* -o $@ $< $(LIBFUZZER_OBJS) -lm -pthread

$(FUZZ_DIR)/libfuzzer-quick: test/fuzz/libfuzzer.c $(QUICK_OBJS)
	clang $(QUICK_CFLAGS) -DFUZZ_TARGET=fuzz_probe -o $@ $< $(QUICK_OBJS) -lm -pthread

-include $(wildcard $(patsubst %,$(FUZZ_DIR)/%.d,* */* */*/* */*/*/*))

# Crashes, replicas, dumps: as in make test, with more crashes.

CRASHES = 200

.PHONY: check-tap
check-tap:
	@CRASHES=$(CRASHES) bash test/run.sh tap

# Checks that take a quarter of an hour: sanitizers in the server, valgrind ...

.PHONY: check-deep
check-deep:
	@bash test/deep/run.sh $(DEEP)

# Which lines, branches and conditions the tests reach: tables and pages in
# build/coverage.  "make coverage COVERAGE=core" takes five minutes, all half an hour.

.PHONY: coverage
coverage:
	@bash test/deep/coverage.sh $(COVERAGE)

# Do the tests notice small changes?  MUTANTS: see test/deep/mutate.py.

.PHONY: mutants
mutants:
	@[ -d build/coverage/core ] && [ -d build/coverage/lib ] || bash test/deep/coverage.sh core lib
	@$(PYTHON) test/deep/mutate.py $(MUTANTS)

# That bytes of any origin are harmless, by CBMC: "make proof PROOF='varint find64'".

.PHONY: proof
proof:
	@bash test/proof/run.sh $(PROOF)

# Every supported server, 32 bits, big-endian: an hour, as root, in environments
# that are kept for the next time.  "make test-matrix MATRIX='bookworm i386'".

.PHONY: test-matrix
test-matrix:
	@bash test/matrix/run.sh $(MATRIX)

# The files of a release, in build: a tarball, the zip that "pgxn install" takes, a bill
# of materials and checksums (packaging/dist.py), of what is committed.  A tree without
# a history, such as what is in them, is taken as it is, but for what is built in it;
# git is lent an index and a place for objects, since it knows what to leave out.

DIST_ARCHIVE = git archive --format=tar
DIST_FILES = | /usr/bin/python3 packaging/dist.py build

.PHONY: dist
dist:
	@mkdir -p build
ifneq ($(wildcard .git),)
	$(DIST_ARCHIVE) HEAD $(DIST_FILES)
else
	@rm -rf build/dist.git
	@git init -q --bare build/dist.git
	GIT_DIR=build/dist.git GIT_WORK_TREE=. sh -c 'git add -A && $(DIST_ARCHIVE) $$(git write-tree)' $(DIST_FILES)
	@rm -rf build/dist.git
endif

# Debian packages of this tree, in build/deb; and the same on several releases, where
# they are installed, used, upgraded and purged (as root, half an hour):
# "make test-deb DEB=bookworm".

.PHONY: deb test-deb
deb:
	@bash test/deb/build.sh

test-deb:
	@bash test/deb/run.sh $(DEB)

# What other packagers are given, in packaging; see packaging/run.sh for its parts:
# "make test-packaging PACKAGING='rpm image'".

.PHONY: test-packaging
test-packaging:
	@bash packaging/run.sh $(PACKAGING)

# The site of docs/, in build/site/html; and each of its pages looked at in Chromium.

.PHONY: site test-site
site:
	@bash docs/site/make.sh

test-site:
	@bash docs/site/make.sh test

clean: clean-test
clean-test:
	rm -rf build

# One formatter for everybody.

CLANG_FORMAT = clang-format
FORMATTED = $(wildcard src/*/*.[ch] src/*/*/*.[ch] lib/*/*.[ch] test/*/*.[ch] \
	clients/*/src/*.[ch] clients/*/src/*/*.[ch] clients/*/bench/*.[ch])

format:
	$(CLANG_FORMAT) -i $(FORMATTED)

format-check:
	$(CLANG_FORMAT) --dry-run --Werror $(FORMATTED)

# What does it cost?  "make bench" measures into build/bench, and prints tables:
# of the core ("make bench-core"), of each kernel ("make bench-kernels"), of builds
# from hostile keys ("make bench-hostile"), of maps ("make bench-maps"), then of the
# extension on a server ("make bench-sql").  "make bench bench-docs" writes them into docs/developer/benchmarks.md,
# too, and the plots beside it.  What changes them: see test/bench/{run,kernels,maps,sql}.sh.
# Codes of values by frequency are apart: "make bench-codes" prints figures only.

BENCH_KEYS = 1e4 1e5 1e6 1e7
BENCH_HOSTILE = 20 300 1500 5000 60000
BENCH_DIR = build/bench
BENCH_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -O3 -falign-functions=64 -falign-loops=32 \
	-MMD -MP -Wall -Wextra -Isrc/core -Itest/unit $(ARITHMETIC)
BENCH_CORE = $(addprefix $(BENCH_DIR)/,$(CORE))
BENCH_PROGRAMS = $(patsubst test/bench/%.c,$(BENCH_DIR)/%,$(wildcard test/bench/*.c))

export BENCH_ROUNDS BENCH_SIZES PEERS KERNEL_PEERS MAP_PEERS
export BENCH_SQL_ROWS BENCH_SQL_ROUNDS BENCH_SQL_ONLY BENCH_SQL_HUGE BENCH_SQL_TIMEOUT

.PHONY: bench bench-core bench-kernels bench-hostile bench-maps bench-codes bench-exact bench-sql bench-clients
.PHONY: bench-parameters bench-nearest bench-probes
.PHONY: bench-docs bench-programs

# one after the other, also with -j
bench:
	@$(MAKE) --no-print-directory bench-core
	@$(MAKE) --no-print-directory bench-kernels
	@$(MAKE) --no-print-directory bench-hostile
	@$(MAKE) --no-print-directory bench-maps
	@$(MAKE) --no-print-directory bench-sql

bench-core: bench-programs
	@CC="$(CC)" bash test/bench/run.sh $(BENCH_DIR) $(BENCH_KEYS)
	@$(PYTHON) test/bench/report.py $(BENCH_DIR)

bench-kernels: bench-programs
	@bash test/bench/kernels.sh $(BENCH_DIR) $(BENCH_KEYS)
	@$(PYTHON) test/bench/kernel_report.py $(BENCH_DIR)

# rounds, kernels and numbers of keys
BENCH_PROBES = 9 all 1e3 1e4 1e5 1e6 1e7

bench-probes: $(BENCH_DIR)/probes
	@$(BENCH_DIR)/probes $(BENCH_PROBES)

# sets, and the sizes of each
bench-hostile: bench-programs
	@$(BENCH_DIR)/hostile $(BENCH_HOSTILE) >$(BENCH_DIR)/hostile.csv
	@$(PYTHON) test/bench/hostile_report.py $(BENCH_DIR)

bench-maps: bench-programs
	@bash test/bench/maps.sh $(BENCH_DIR) $(BENCH_KEYS)
	@$(PYTHON) test/bench/map_report.py $(BENCH_DIR)

# numbers of keys
BENCH_CODES = 1e5 1e6

bench-codes: $(BENCH_DIR)/codes
	@for keys in $(BENCH_CODES); do $(BENCH_DIR)/codes $$keys; done

# sets of up to so many members, groups of so many, times of so many keys, and
# so many answers about listed keys
bench-exact: bench-programs
	@$(BENCH_DIR)/exact sizes 1e6
	@$(BENCH_DIR)/exact rates 1e6
	@$(BENCH_DIR)/exact groups 1.17e6
	@$(BENCH_DIR)/exact times 1e7
	@nice -n 19 $(BENCH_DIR)/exact listed 1e9

# ids that a client sends: rows, and numbers of ids
BENCH_PARAMETERS = 1e7 1e6 1e7

bench-parameters:
	@test/bench/parameters.sh $(BENCH_PARAMETERS)

# the nearest of listed rows, where there is pgvector: numbers of ids
BENCH_NEAREST = 1e5 1e6 1e7

bench-nearest:
	@test/bench/parameters.sh nearest $(BENCH_NEAREST)

bench-sql:
	@bash test/bench/sql.sh $(BENCH_DIR)
	@$(PYTHON) test/bench/sql_report.py $(BENCH_DIR)

# packages of other languages: those of clients.sh, or some of them
bench-clients:
	@bash test/bench/clients.sh $(BENCH_DIR) $(CLIENTS)

# of what has been measured
bench-docs:
	@[ ! -f $(BENCH_DIR)/machine.csv ] || $(PYTHON) test/bench/report.py $(BENCH_DIR) docs
	@[ ! -f $(BENCH_DIR)/kernels.csv ] || $(PYTHON) test/bench/kernel_report.py $(BENCH_DIR) docs
	@[ ! -f $(BENCH_DIR)/hostile.csv ] || $(PYTHON) test/bench/hostile_report.py $(BENCH_DIR) docs
	@[ ! -f $(BENCH_DIR)/map_times.csv ] || $(PYTHON) test/bench/map_report.py $(BENCH_DIR) docs
	@[ ! -f $(BENCH_DIR)/sql_machine.csv ] || $(PYTHON) test/bench/sql_report.py $(BENCH_DIR) docs

bench-programs: $(BENCH_PROGRAMS)

$(eval $(call compile,$(BENCH_DIR),src/core,$(CC) $(BENCH_CFLAGS)))

$(BENCH_PROGRAMS): $(BENCH_DIR)/%: test/bench/%.c $(BENCH_CORE)
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -o $@ $< $(BENCH_CORE) -lm

-include $(wildcard $(BENCH_DIR)/*.d $(BENCH_DIR)/*/*.d)

# In other languages.

include clients/js/js.mk
include clients/python/python.mk
