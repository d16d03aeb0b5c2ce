# bench.mk - make bench: what it costs
#
# Included by commands.mk.
#
# Programs in C measure once, and say at their heads what they print; run.sh runs them in rounds, beside
# those of other libraries, and sql/run.sh measures on a server.  report.py makes tables of what they leave:
# tables_core.py, tables_maps.py and tables_sql.py have one function for each, figures.py what they share.

# What does it cost?  "make bench" measures into build/bench, and prints tables:
# of the core ("make bench-core"), of each kernel ("make bench-kernels"), of builds
# from hostile keys ("make bench-hostile"), of maps ("make bench-maps"), then of the
# extension on a server ("make bench-sql").  "make bench bench-docs" writes them into benchmarks.md and
# benchmarks_sql.md of docs/developer, too, and the plots into docs.
# What changes them: see run.sh and sql/run.sh of test/bench.
# "make bench-goals" says which goals for speed are met.
# Codes of values by frequency are apart: "make bench-codes" prints figures only.

BENCH_KEYS = 1e4 1e5 1e6 1e7
BENCH_HOSTILE = 20 300 1500 5000 60000
BENCH_DIR = build/bench
BENCH_CFLAGS = $(PLAIN_CFLAGS) $(CORE_CFLAGS) -Itest/unit/lib
# what libribbon has of the core
BENCH_CORE = $(addprefix build/lib/core/,$(CORE))
REPORT = $(PYTHON) test/bench/report.py $(BENCH_DIR)
BENCH_PROGRAMS = $(patsubst test/bench/%.c,$(BENCH_DIR)/%,$(wildcard test/bench/*.c))

export BENCH_ROUNDS BENCH_SIZES PEERS KERNEL_PEERS MAP_PEERS
export BENCH_KERNELS KERNEL_OURS
export BENCH_SQL_ROWS BENCH_SQL_ROUNDS BENCH_SQL_ONLY BENCH_SQL_HUGE BENCH_SQL_TIMEOUT

.PHONY: bench bench-core bench-kernels bench-hostile bench-maps bench-codes bench-exact bench-sql bench-clients
.PHONY: bench-parameters bench-nearest bench-probes bench-goals
.PHONY: bench-docs bench-programs

# one after the other, also with -j
bench:
	@$(MAKE) --no-print-directory bench-core
	@$(MAKE) --no-print-directory bench-kernels
	@$(MAKE) --no-print-directory bench-hostile
	@$(MAKE) --no-print-directory bench-maps
	@$(MAKE) --no-print-directory bench-sql

bench-core: bench-programs
	@CC="$(CC)" bash test/bench/run.sh core $(BENCH_DIR) $(BENCH_KEYS)
	@$(REPORT) core

bench-kernels: bench-programs
	@bash test/bench/run.sh kernels $(BENCH_DIR) $(BENCH_KEYS)
	@$(REPORT) kernels

# rounds, kernels and numbers of keys
BENCH_PROBES = 9 all 1e3 1e4 1e5 1e6 1e7

bench-probes: $(BENCH_DIR)/probes
	@$(BENCH_DIR)/probes $(BENCH_PROBES)

# What has goals for speed, and which are met: of the core with both kernels that have
# vectors, KERNEL_PEERS as for bench-kernels, then in SQL.
GOAL_KERNELS = avx512 avx2
GOAL_ROUNDS = 5
GOAL_KEYS = 1e3 1e4 1e5 1e6 1e7
GOAL_SQL_ROWS = 1e7
GOAL_HUGE = 1e8

comma := ,
empty :=
GOAL_PROBES = $(BENCH_DIR)/probes $(GOAL_ROUNDS) $(subst $(empty) ,$(comma),$(GOAL_KERNELS))

bench-goals: BENCH_ROUNDS = $(GOAL_ROUNDS)
bench-goals: BENCH_KERNELS = $(GOAL_KERNELS)
bench-goals: KERNEL_OURS = burr 64 8;homogeneous 64 7
bench-goals: bench-programs
	@$(GOAL_PROBES) $(GOAL_KEYS) $(GOAL_HUGE) | tee $(BENCH_DIR)/goal_probes.csv
	@KERNELS_CSV=goal_kernels.csv bash test/bench/run.sh kernels $(BENCH_DIR) $(GOAL_KEYS)
	@BENCH_SQL_ONLY=goals BENCH_SQL_ROWS=$(GOAL_SQL_ROWS) BENCH_SQL_HUGE=$(GOAL_HUGE) BENCH_SQL_ROUNDS=$(GOAL_ROUNDS) \
		bash test/bench/sql/run.sh $(BENCH_DIR)
	@$(PYTHON) test/bench/goals.py $(BENCH_DIR)

# sets, and the sizes of each
bench-hostile: bench-programs
	@$(BENCH_DIR)/hostile $(BENCH_HOSTILE) >$(BENCH_DIR)/hostile.csv
	@$(REPORT) hostile

bench-maps: bench-programs
	@bash test/bench/run.sh maps $(BENCH_DIR) $(BENCH_KEYS)
	@$(REPORT) maps

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
	@bash test/bench/sql/parameters.sh $(BENCH_PARAMETERS)

# the nearest of listed rows, where there is pgvector: numbers of ids
BENCH_NEAREST = 1e5 1e6 1e7

bench-nearest:
	@bash test/bench/sql/parameters.sh nearest $(BENCH_NEAREST)

bench-sql:
	@bash test/bench/sql/run.sh $(BENCH_DIR)
	@$(REPORT) sql

# packages of other languages: those of clients.sh, or some of them
bench-clients:
	@bash test/bench/clients.sh $(BENCH_DIR) $(CLIENTS)

# of what has been measured
bench-docs:
	@$(REPORT) docs

bench-programs: $(BENCH_PROGRAMS)

$(BENCH_PROGRAMS): $(BENCH_DIR)/%: test/bench/%.c $(BENCH_CORE)
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -o $@ $< $(BENCH_CORE) -lm -pthread

-include $(call headers_of,$(BENCH_DIR))
