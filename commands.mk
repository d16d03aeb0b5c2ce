# commands.mk - make test, lib, dist, site, format: what is not PostgreSQL's own
#
# Included by the Makefile, in the tree alone; includes the *.mk of folders, which make programs, libraries and
# packages.  The scripts install what they miss and call make again, so that they also work where PostgreSQL is not
# there yet.

# --- How C is compiled without a server ---

# The core's objects, and what is put together with them, are in folders of build/, and named for their sources.
CORE = $(CORE_OBJS:src/core/%=%)
PLAIN_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -MMD -MP -Wall -Wextra -Isrc/core $(CORE_MEANING) \
	$(NO_8087)

# $(call compile,FOLDER,SOURCES,COMMAND): how objects of a folder are made
define compile
$(1)/%.o: $(2)/%.c
	@mkdir -p $$(@D)
	$(3) -c -o $$@ $$<
endef

# $(call headers_of,FOLDER): files in which the compiler noted which headers its objects need
headers_of = $(wildcard $(addprefix $(1)/,*.d */*.d */*/*.d */*/*/*.d */*/*/*/*.d))

# library.mk and fuzz.mk use names of unit.mk.
include test/unit/unit.mk lib/library.mk test/fuzz/fuzz.mk test/bench/bench.mk
include clients/js/js.mk clients/python/python.mk

# --- Commands ---

.PHONY: help
help:
	@sed 's/^/  make /' test/help.txt
	@echo "What packagers set is at the heads of Makefile and lib/library.mk."

# All tests, or those named: make test TEST="unit sql/stats", see test/run.sh.
TEST =
.PHONY: test unit
test:
	@bash test/run.sh $(TEST)

unit:
	@bash test/run.sh unit

# Install what is missing to build, test and demonstrate the extension; show what it does.
.PHONY: setup demo
setup:
	@bash test/lib/setup.sh build test demo

demo:
	@bash test/demo/run.sh

# The recipes of docs/scaling.md: make test-citus CITUS=DIRECTORY, see test/citus/run.sh.
.PHONY: test-citus
test-citus:
	@CITUS="$(CITUS)" CITUS_PG_CONFIG="$(CITUS_PG_CONFIG)" bash test/citus/run.sh

# Crashes, replicas, dumps: as in make test, with more crashes.
CRASHES = 200
.PHONY: check-tap
check-tap:
	@CRASHES=$(CRASHES) bash test/run.sh tap

# Checks that take twenty minutes: sanitizers in the server, valgrind ...
.PHONY: check-deep
check-deep:
	@bash test/deep/run.sh $(DEEP)

# Which lines, branches and conditions the tests reach: tables and pages in
# build/coverage.  "make coverage COVERAGE=core" takes five minutes, all half an hour.
.PHONY: coverage
coverage:
	@bash test/deep/coverage.sh $(COVERAGE)

# Do the tests notice small changes?  MUTANTS: see test/deep/mutate.py, which tries more
# tests where what they reach was counted before the last change.
.PHONY: mutants
mutants:
	@[ -f build/coverage/core/began ] && [ -f build/coverage/lib/began ] || bash test/deep/coverage.sh core lib
	@$(PYTHON) test/deep/mutate.py $(MUTANTS)

# That bytes of any origin are harmless, by CBMC: "make proof PROOF='varint find64'".
.PHONY: proof
proof:
	@bash test/proof/run.sh $(PROOF)

# Every supported server, 32 bits, big-endian: an hour and a half, as root, in environments
# that are kept for the next time.  "make test-matrix MATRIX='bookworm i386'".
.PHONY: test-matrix
test-matrix:
	@bash test/matrix/run.sh $(MATRIX)

# The files of a release, in build: a tarball, the zip that "pgxn install" takes, a bill
# of materials and checksums (packaging/dist.py), of what is committed.  With DIST=tree,
# and where there is no history, as in an unpacked tarball, the tree is taken as it is,
# but for what is built in it: git knows what that is, and is lent an index and a place
# for objects.
DIST = $(if $(wildcard .git),HEAD,tree)
DIST_ARCHIVE = git archive --format=tar
DIST_FILES = $(PYTHON) packaging/dist.py build
.PHONY: dist
dist:
	@mkdir -p build
ifneq ($(DIST),tree)
	@[ -z "$$(git status --porcelain)" ] || echo "make dist: what is not committed is not in it; DIST=tree takes the tree as it is" >&2
	$(DIST_ARCHIVE) $(DIST) | $(DIST_FILES)
else
	@rm -rf build/dist.git
	@git init -q --bare build/dist.git
	GIT_DIR=build/dist.git GIT_WORK_TREE=. sh -c 'git add -A && $(DIST_ARCHIVE) $$(git write-tree)' | $(DIST_FILES)
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

# What is built is in build, but for the extension (PGXS) and two modules (js.mk).
.PHONY: clean-test
clean: clean-test
clean-test:
	rm -rf build

# One formatter for all C: see test/build/format.sh.
CLANG_FORMAT = clang-format
FORMATTED = $(wildcard $(addsuffix /*.[ch],src/* src/*/* lib/* lib/*/* test/* test/*/* \
	clients/*/src clients/*/src/* clients/*/bench debian/tests examples/*))
.PHONY: format format-check
format:
	$(CLANG_FORMAT) -i $(FORMATTED)

format-check:
	$(CLANG_FORMAT) --dry-run --Werror $(FORMATTED)
