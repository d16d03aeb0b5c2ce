# ribbon: make, make install, make installcheck
#
# This file makes the extension, by PGXS: in the tree, and out of it, with make -f DIRECTORY/Makefile or
# VPATH=DIRECTORY.  In the tree it includes commands.mk, with all else that there is to make: make help.
#
# What a packager sets, in the environment or as arguments:
#
#	PG_CONFIG	the pg_config of the server
#	DESTDIR		is put before the names of what is installed: the library ribbon.so, ribbon.control and DATA
#	COPT		flags that come after the server's own
#	OPTIMIZED	the level of the core: OPTIMIZED=-O2
#	CFLAGS		(argument only) replaces all flags but those on which results depend, CORE_MEANING and NO_8087
#
# libribbon and the command have variables of their own, at the head of lib/library.mk.

MODULE_big = ribbon
EXTENSION = ribbon
PGFILEDESC = "ribbon - compact static set filters"

# --- sources ---

# Where they are, "" in the tree: PGXS's srcdir, which is not known yet; a relative name, so that names in what is
# built are the same wherever both lie.
TOP := $(if $(VPATH),$(VPATH:/=)/,$(filter-out ./,$(dir $(firstword $(MAKEFILE_LIST)))))
ifneq ($(TOP),)
TOP := $(or $(shell realpath --relative-to=. $(TOP) 2>/dev/null),$(TOP:/=))/
endif

# $(call sources,PATTERNS): files, by their names in the tree
sources = $(patsubst $(TOP)%,%,$(sort $(wildcard $(addprefix $(TOP),$(1)))))

CORE_OBJS = $(patsubst %.c,%.o,$(call sources,src/core/*/*.c))
PG_OBJS = $(patsubst %.c,%.o,$(call sources,src/pg/*.c src/pg/*/*.c))
OBJS = $(CORE_OBJS) $(PG_OBJS)

# sql/ has two kinds of files: what "make install" installs, ribbon--*.sql, and
# what "make installcheck" runs, a file per topic, without a double dash.
DATA = $(call sources,sql/ribbon--*.sql)

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

# --- PGXS ---

# The library's version is the release's; a correction leaves default_version of ribbon.control as it is.
RIBBON_VERSION := $(shell sed -n 's/^   "version": "\(.*\)",$$/\1/p' $(TOP)META.json)
PG_CPPFLAGS = -I$(TOP)src/core -I$(TOP)src/pg -DRIBBON_VERSION='"$(RIBBON_VERSION)"'
SHLIB_LINK = -lm -pthread

# Without bitcode: queries are no faster if JIT inlines functions of ours, whose time
# goes into probes, which are called by pointers.
override with_llvm = no

# Some systems install pgxs.mk with the client, without the headers it needs: then say what is missing.
PG_CONFIG ?= pg_config
ifneq ($(wildcard $(or $(includedir_server),$(shell $(PG_CONFIG) --includedir-server 2>/dev/null))/postgres.h),)
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

.PHONY: prove_installcheck
prove_installcheck:
	$(prove_installcheck)
else
.PHONY: all install uninstall installcheck prove_installcheck clean
all install uninstall installcheck prove_installcheck:
	@echo "PostgreSQL's development files are missing: make setup installs them (Debian: postgresql-server-dev-all)," >&2
	@echo "or name the server's: make PG_CONFIG=/path/to/pg_config; without a server: make help" >&2; exit 1
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

# --- objects ---

# Folders as in the tree, for what is built.
FOLDERS = $(sort $(dir $(OBJS)))
$(OBJS): | $(FOLDERS)
$(FOLDERS):
	@mkdir -p $@

# A header says how its users are laid out: when one changes, start over.
CORE_HEADERS = $(call sources,src/core/*.h src/core/*/*.h)
PG_HEADERS = $(call sources,src/pg/*.h src/pg/*/*.h)
$(CORE_OBJS): $(CORE_HEADERS)
$(PG_OBJS): $(CORE_HEADERS) $(PG_HEADERS)
src/pg/module.o: $(TOP)META.json $(TOP)Makefile

# The core sees no header but its own and the system's.
FOREIGN = $(addprefix -I,$(TOP)src/pg . $(srcdir) $(includedir_server) $(includedir_internal))
$(CORE_OBJS): override CPPFLAGS := $(filter-out $(FOREIGN),$(CPPFLAGS))

# Flags that CFLAGS as an argument replaces: make drops what is added to that without "override".  No library shows
# the core's functions.  Rooms of the core that build are up to a tenth slower with -O2, others only smaller.
include $(TOP)core.mk
OPTIMIZED ?= $(if $(filter set construct solve,$(notdir $(<D))),-O3,-O2)
CORE_CFLAGS = $(OPTIMIZED) -fvisibility=hidden $(CORE_ALIGNMENT)
$(CORE_OBJS): CFLAGS += $(CORE_CFLAGS)

# Flags that it does not replace.  The registers of the 8087 hold more bits than a double: sizes would differ.
NO_8087 := $(if $(filter i386-% i486-% i586-% i686-%,$(shell $(CC) -dumpmachine)),-msse2 -mfpmath=sse)

# The same source gives the same library, wherever it lies and is built: no name
# of a directory is in it, where the compiler can leave them out.
NAMELESS := $(addprefix -ffile-prefix-map=,$(CURDIR)=. $(if $(TOP),$(TOP)= $(abspath $(TOP))/=) ./=)
NAMELESS := $(shell $(CC) $(NAMELESS) -E -x c /dev/null >/dev/null 2>&1 && echo "$(NAMELESS)")

$(OBJS): override CFLAGS += $(CORE_MEANING) $(NO_8087) $(NAMELESS)

ifeq ($(TOP),)
include commands.mk
endif
