# ribbon: make, make install, make installcheck
#
# Also out of the tree, as PGXS does it: make -f DIRECTORY/Makefile, or with
# VPATH=DIRECTORY.

MODULE_big = ribbon
EXTENSION = ribbon
PGFILEDESC = "ribbon - compact static set filters"

# Where the sources are: PGXS's srcdir, which is not known yet.
TOP := $(if $(VPATH),$(VPATH:/=)/,$(filter-out ./,$(dir $(firstword $(MAKEFILE_LIST)))))
# By a way from here, so that names in what is built are the same wherever both
# lie.
ifneq ($(TOP),)
TOP := $(or $(shell realpath --relative-to=. $(TOP) 2>/dev/null),$(TOP:/=))/
endif
sources = $(patsubst $(TOP)%,%,$(sort $(wildcard $(addprefix $(TOP),$(1)))))

CORE_OBJS = $(patsubst %.c,%.o,$(call sources,src/core/*/*.c))
PG_OBJS = $(patsubst %.c,%.o,$(call sources,src/pg/*.c src/pg/*/*.c))

OBJS = $(CORE_OBJS) $(PG_OBJS)

# Without bitcode: queries are no faster if JIT inlines functions of ours, whose time
# goes into probes, which are called by pointers.
override with_llvm = no

# sql/ has two kinds of files: what "make install" installs, ribbon--*.sql, and
# what "make installcheck" runs, a file per topic, without a double dash.
DATA = $(call sources,sql/ribbon--*.sql)

# The library's version is the release's; a correction leaves default_version of ribbon.control as it is.
RIBBON_VERSION := $(shell sed -n 's/^   "version": "\(.*\)",$$/\1/p' $(TOP)META.json)
PG_CPPFLAGS = -I$(srcdir)/src/core -I$(srcdir)/src/pg -DRIBBON_VERSION='"$(RIBBON_VERSION)"'
SHLIB_LINK = -lm -pthread

REGRESS = extension type_io ribbonkey ribbonkeys key_hash key_types refused_types \
	refused_collation refused_citext probe untyped array_probe filter_arrays stored aggregate options \
	null_and_empty casts compare settings stats size shard shrink toast parallel eager spill \
	windows jit selectivity recipes encoding check check_table \
	labels privileges exact exact_rate map_build map_plans map_io map_get map_types map_domain map_alter map_encoding \
	map_stored map_stats map_code map_golden operations scan_offer scan_rows scan_early scan_parallel scan_parameter
REGRESS_OPTS = --load-extension=ribbon --encoding=UTF8 --no-locale

# "make prove_installcheck", where the server has been built with TAP tests; with
# TAP_TESTS=1 "make installcheck" runs them, too.
PROVE_TESTS = test/t/*.pl

PG_CONFIG ?= pg_config
# Some systems install pgxs.mk with the client, without the headers it needs.
ifneq ($(wildcard $(or $(includedir_server),$(shell $(PG_CONFIG) --includedir-server 2>/dev/null))/postgres.h),)
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
endif

# Out of the tree sources are looked for in the tree, but what is built is not:
# it may be there, too, but made for another server.
ifneq ($(TOP),)
srcdir := $(srcdir)
override VPATH =
vpath %.c $(TOP)
vpath %.h $(TOP)
vpath %.control $(TOP)
endif

# Folders as in the tree, for what is built.
FOLDERS = $(sort $(dir $(OBJS)))
$(OBJS): | $(FOLDERS)
$(FOLDERS):
	@mkdir -p $@

# The rooms of the core that build are up to a tenth slower with -O2, the others only smaller.
OPTIMIZED ?= $(if $(filter set construct solve,$(notdir $(<D))),-O3,-O2)

# No library shows the core's functions.  All of this, and the level
# ("make OPTIMIZED=-O2"), is the packager's to replace.
include $(TOP)core.mk
CORE_CFLAGS = $(OPTIMIZED) -fvisibility=hidden $(CORE_ALIGNMENT)
$(CORE_OBJS): CFLAGS += $(CORE_CFLAGS)

# What is not; nor are the registers of the 8087 used, which hold more bits than a
# double.  (This comes after what may be replaced: make drops what is added without
# "override" later.)
NO_8087 := $(if $(filter i386-% i486-% i586-% i686-%,$(shell $(CC) -dumpmachine)),-msse2 -mfpmath=sse)

# The same source gives the same library, wherever it lies and is built: no name
# of a directory is in it, where the compiler can leave them out.
NAMELESS := $(addprefix -ffile-prefix-map=,$(CURDIR)=. $(if $(TOP),$(TOP)= $(abspath $(TOP))/=) ./=)
NAMELESS := $(shell $(CC) $(NAMELESS) -E -x c /dev/null >/dev/null 2>&1 && echo "$(NAMELESS)")

$(OBJS): override CFLAGS += $(CORE_MEANING) $(NO_8087) $(NAMELESS)

# The core sees no header but its own and the system's.
FOREIGN = -I. $(addprefix -I,$(srcdir) $(srcdir)/src/pg $(includedir_server) $(includedir_internal))
$(CORE_OBJS): override CPPFLAGS := $(filter-out $(FOREIGN),$(CPPFLAGS))

# A header says how its users are laid out: when one changes, start over.
CORE_HEADERS = $(call sources,src/core/*.h src/core/*/*.h)
PG_HEADERS = $(call sources,src/pg/*.h src/pg/*/*.h)
$(CORE_OBJS): $(CORE_HEADERS)
$(PG_OBJS): $(CORE_HEADERS) $(PG_HEADERS)
src/pg/module.o: $(TOP)META.json $(TOP)Makefile

.PHONY: prove_installcheck
prove_installcheck:
	$(prove_installcheck)

# --- commands, of the tree itself ---

ifeq ($(TOP),)
# How the core, and what is put together with it, is compiled without a server: its
# objects are in folders of build/, and named for their sources.
CORE = $(patsubst src/core/%.c,%.o,$(wildcard src/core/*/*.c))
PLAIN_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -MMD -MP -Wall -Wextra -Isrc/core $(CORE_MEANING) \
	$(NO_8087)

# $(call compile,FOLDER,SOURCES,COMMAND): how objects of a folder are made
define compile
$(1)/%.o: $(2)/%.c
	@mkdir -p $$(@D)
	$(3) -c -o $$@ $$<
endef

include commands.mk lib/library.mk
endif
