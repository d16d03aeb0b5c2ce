# library.mk - libribbon and the command ribbon: make lib, command, install-libribbon
#
# Included by commands.mk, behind test/unit/unit.mk.  Neither needs PostgreSQL, but xxHash, whose header is included.
# They are made in build/lib.  (install-lib is a target of PGXS, and installs the extension.)
#
# What a packager sets, as arguments:
#
#	PREFIX, LIBDIR	where they are installed; also in the environment
#	DESTDIR		is put before that
#	LIB_CFLAGS	flags of the compiler, but for the level, which is OPTIMIZED
#	LIB_LDFLAGS	flags of the linker
#	LIB_SHARED=yes	the command is linked with libribbon.so, not with libribbon.a
#	LIB_SETUP=true	nothing is installed; else xxHash is, on Debian, if it is missing
#
# HOST=x86_64-w64-mingw32 compiles for Windows.  Tests make errors of warnings (LIB_WARNINGS).

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
LIB_SONAME = libribbon.so.1

LIB_CFLAGS = -g1
LIB_LDFLAGS =
LIB_SHARED =
LIB_SETUP = bash test/lib/setup.sh unit

LIB_DIR = build/lib
LIB_CC = $(CC)
OBJCOPY ?= objcopy
HOST_CFLAGS =
LIB_COMPILE = $(LIB_CC) $(PLAIN_CFLAGS) $(LIB_CFLAGS) $(CORE_CFLAGS) $(LIB_WARNINGS) -fPIC -Ilib $(HOST_CFLAGS) \
	$(NAMELESS)
LIB_SOURCES = $(call sources,lib/src/*.c lib/src/*/*.c)
LIB_OBJS = $(addprefix $(LIB_DIR)/core/,$(CORE)) \
	$(LIB_SOURCES:lib/%.c=$(LIB_DIR)/%.o)
LIB_COMMAND_SOURCES = $(call sources,lib/command/*.c lib/command/*/*.c)
LIB_COMMAND = $(LIB_COMMAND_SOURCES:lib/%.c=$(LIB_DIR)/%.o)

.PHONY: lib-setup
lib-setup:
	@$(LIB_SETUP)

# For Windows, in build/HOST; threads are posix ones.  Vectors on the stack may lie
# anywhere there, which gcc does not know.  The command, with its signals and renamed
# files, is for POSIX alone.
ifneq ($(HOST),)
LIB_DIR = build/$(HOST)
LIB_SETUP = bash test/lib/setup.sh unit windows
LIB_CC = $(HOST)-gcc-posix
LIB_DLL = libribbon-1.dll
HOST_CFLAGS = -Wa,-muse-unaligned-vector-move -D__USE_MINGW_ANSI_STDIO=1 -D_FILE_OFFSET_BITS=64 \
	-Ilib/windows -include lib/windows/posix.h -isystem $(LIB_DIR)/include -Wno-format -Wno-unused-variable
LIB_OBJS += $(LIB_DIR)/windows/posix.o
$(LIB_OBJS): | $(LIB_DIR)/include/xxhash.h
$(LIB_DIR)/include/xxhash.h:
	@mkdir -p $(@D)
	@cp /usr/include/xxhash.h $@
endif

$(LIB_OBJS) $(LIB_COMMAND): | lib-setup

.PHONY: lib command
lib: $(if $(HOST),$(LIB_DIR)/$(LIB_DLL),$(addprefix $(LIB_DIR)/,$(LIB_SONAME) libribbon.so libribbon.a ribbon.pc))
command: $(if $(HOST),,$(LIB_DIR)/ribbon)
	$(if $(HOST),@echo "make command: it needs signals and files of POSIX; of $(HOST) there is make lib alone" >&2; false)

$(eval $(call compile,$(LIB_DIR)/core,src/core,$$(LIB_COMPILE)))
$(eval $(call compile,$(LIB_DIR)/src,lib/src,$$(LIB_COMPILE)))
$(eval $(call compile,$(LIB_DIR)/windows,lib/windows,$$(LIB_COMPILE)))
$(eval $(call compile,$(LIB_DIR)/command,lib/command,$$(LIB_COMPILE)))

$(LIB_DIR)/$(LIB_SONAME): $(LIB_OBJS) lib/ribbon.map
	$(CC) $(LIB_CFLAGS) $(LIB_LDFLAGS) -shared -Wl,-soname,$(LIB_SONAME) -Wl,--version-script=lib/ribbon.map \
		-Wl,-z,defs -o $@ $(LIB_OBJS) -lm -pthread

$(LIB_DIR)/libribbon.so: $(LIB_DIR)/$(LIB_SONAME)
	ln -sf $(<F) $@

# The DLL needs no other one that is not the system's own; libribbon.dll.a links it.
$(LIB_DIR)/$(LIB_DLL): $(LIB_OBJS) lib/ribbon.map
	(echo EXPORTS; sed -n 's/^[[:space:]]*\(ribbon_[a-z0-9_]*\);$$/\1/p' lib/ribbon.map) >$(LIB_DIR)/ribbon.def
	$(LIB_CC) -shared -static -o $@ $(LIB_OBJS) $(LIB_DIR)/ribbon.def -Wl,--out-implib,$(LIB_DIR)/libribbon.dll.a

# One object, in which only those names are left that the header declares.  Groups
# end there, since i386 has one for each thunk, of which a linker keeps one by its name.
$(LIB_DIR)/libribbon.a: $(LIB_OBJS) lib/ribbon.map
	$(LD) -r --force-group-allocation -o $(LIB_DIR)/libribbon.o $(LIB_OBJS)
	sed -n 's/^[[:space:]]*\(ribbon_[a-z0-9_]*\);$$/\1/p' lib/ribbon.map >$(LIB_DIR)/names
	$(OBJCOPY) --keep-global-symbols=$(LIB_DIR)/names $(LIB_DIR)/libribbon.o
	rm -f $@
	$(AR) rcs $@ $(LIB_DIR)/libribbon.o

# It depends on what is in it, so it is made each time, and is new if it differs.
.PHONY: lib-pc FORCE
lib-pc: $(LIB_DIR)/ribbon.pc
$(LIB_DIR)/ribbon.pc: FORCE
	@mkdir -p $(@D)
	@sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(RIBBON_VERSION)|' lib/ribbon.pc.in >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

LIB_LINKED = $(LIB_DIR)/libribbon$(if $(LIB_SHARED),.so,.a)

$(LIB_DIR)/ribbon: $(LIB_COMMAND) $(LIB_LINKED)
	$(CC) $(LIB_CFLAGS) $(LIB_LDFLAGS) -o $@ $^ -lm -pthread

.PHONY: install-libribbon install-command
install-libribbon: lib
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -m 644 $(LIB_DIR)/$(LIB_SONAME) $(DESTDIR)$(LIBDIR)/libribbon.so.$(RIBBON_VERSION)
	ln -sf libribbon.so.$(RIBBON_VERSION) $(DESTDIR)$(LIBDIR)/$(LIB_SONAME)
	ln -sf $(LIB_SONAME) $(DESTDIR)$(LIBDIR)/libribbon.so
	install -m 644 $(LIB_DIR)/libribbon.a $(DESTDIR)$(LIBDIR)
	install -m 644 $(LIB_DIR)/ribbon.pc $(DESTDIR)$(LIBDIR)/pkgconfig
	install -m 644 lib/include/ribbon.h $(DESTDIR)$(PREFIX)/include

install-command: command
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(LIB_DIR)/ribbon $(DESTDIR)$(PREFIX)/bin
	install -m 644 lib/command/ribbon.1 $(DESTDIR)$(PREFIX)/share/man/man1

.PHONY: uninstall-libribbon uninstall-command
uninstall-libribbon:
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libribbon.so.$(RIBBON_VERSION) $(LIB_SONAME) libribbon.so libribbon.a \
		pkgconfig/ribbon.pc) $(DESTDIR)$(PREFIX)/include/ribbon.h

uninstall-command:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/ribbon share/man/man1/ribbon.1)

-include $(call headers_of,$(LIB_DIR))

# The same with ASan and UBSan, for tests: programs of lib/test, and the command.

LIB_UNIT = $(LIB_SOURCES:%.c=$(UNIT_DIR)/%.o)
LIB_UNIT_PROGRAMS = $(patsubst %.c,$(UNIT_DIR)/%,$(wildcard lib/test/test_*.c))

.PHONY: lib-programs
lib-programs: $(LIB_UNIT_PROGRAMS) $(UNIT_DIR)/lib/ribbon

$(eval $(call compile,$(UNIT_DIR)/lib,lib,$(CC) $(UNIT_CFLAGS) -Ilib))

$(UNIT_DIR)/lib/test/test_lib_failures: WRAP = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=pthread_create \
	-Wl,--wrap=pread64,--wrap=pwrite64
$(LIB_UNIT_PROGRAMS): %: %.o $(LIB_UNIT) $(UNIT_CORE)
	$(CC) $(UNIT_CFLAGS) $(WRAP) -o $@ $^ -lm -pthread

$(UNIT_DIR)/lib/ribbon: $(LIB_COMMAND_SOURCES:%.c=$(UNIT_DIR)/%.o) $(LIB_UNIT) $(UNIT_CORE)
	$(CC) $(UNIT_CFLAGS) -o $@ $^ -lm -pthread
