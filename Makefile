# ribbon: make, make install, make installcheck

MODULE_big = ribbon
EXTENSION = ribbon
PGFILEDESC = "ribbon - compact static set filters"

CORE_OBJS = $(patsubst %.c,%.o,$(sort $(wildcard src/core/*/*.c)))
PG_OBJS = $(patsubst %.c,%.o,$(sort $(wildcard src/pg/*.c src/pg/*/*.c)))
OBJS = $(CORE_OBJS) $(PG_OBJS)

# Scripts have a double dash in their names, regression tests do not.
DATA = $(sort $(wildcard sql/ribbon--*.sql))

# The library's version is the extension's, whose one home is ribbon.control.
RIBBON_VERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'$$/\1/p" ribbon.control)
PG_CPPFLAGS = -I$(srcdir)/src/core -I$(srcdir)/src/pg -DRIBBON_VERSION='"$(RIBBON_VERSION)"'
SHLIB_LINK = -lm -pthread

REGRESS = extension type_io key_hash key_types refused_types \
	refused_collation refused_citext probe untyped array_probe filter_arrays stored aggregate options \
	null_and_empty casts compare settings stats shard shrink toast parallel eager spill \
	windows selectivity recipes encoding check \
	labels privileges
REGRESS_OPTS = --load-extension=ribbon --encoding=UTF8 --no-locale

PG_CONFIG ?= pg_config
# Some systems install pgxs.mk with the client, without the headers it needs.
ifneq ($(wildcard $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)/postgres.h),)
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
endif

# The same set has the same filter on every machine, so sizes must be computed
# alike: a product is rounded before it is added to, and the registers of the 8087,
# which hold more bits than a double, are not used.
ARITHMETIC = -ffp-contract=off
ifneq ($(filter i386-% i486-% i586-% i686-%,$(shell $(CC) -dumpmachine)),)
ARITHMETIC += -msse2 -mfpmath=sse
endif

$(OBJS): CFLAGS += $(ARITHMETIC)
BITCODE_CFLAGS += $(ARITHMETIC)

# Nobody is to come between the core's functions and their callers; but code that
# the server compiles just in time must find them.
$(CORE_OBJS): CFLAGS += -O3 -fvisibility=protected

# A header says how its users are laid out: when one changes, start over.
CORE_HEADERS = $(wildcard src/core/*.h src/core/*/*.h)
$(CORE_OBJS): $(CORE_HEADERS)
$(PG_OBJS): $(CORE_HEADERS) $(wildcard src/pg/*.h src/pg/*/*.h)
src/pg/module.o src/pg/module.bc: ribbon.control

# --- commands ---

include test/commands.mk
