# fuzz.mk - make fuzz: programs that look for inputs which break something
#
# Included by commands.mk, behind test/unit/unit.mk.

# Hostile bytes and hostile sets: test/fuzz/fuzz.h.  "make test" runs a fixed
# sequence of inputs with the driver; "make fuzz" lets clang's fuzzer look for
# FUZZ_SECONDS, and keeps what it has learnt in build/fuzz/corpus-*.

FUZZ_SECONDS = 60
FUZZ_TARGETS = quick $(patsubst test/fuzz/target_%.c,%,$(wildcard test/fuzz/target_*.c))
FUZZ_DIR = build/fuzz
FUZZ_CFLAGS = $(UNIT_CFLAGS) -Itest/unit/lib -Ilib

# Every target, and libribbon.
FUZZ_SOURCES = $(filter-out driver.c libfuzzer.c,$(notdir $(wildcard test/fuzz/*.c)))
FUZZ_LIB = $(LIB_SOURCES:.c=.o)
FUZZ_OBJS = $(FUZZ_SOURCES:.c=.o)

# Files of the core that cut sets into windows take the sizes of test/fuzz/windows.h;
# what make unit has of the others, and of libribbon, will do.
FUZZ_WINDOWS = -include test/fuzz/windows.h
WINDOWED = compose/build.o construct/cut.o set/derive.o
DRIVER_OBJS = $(addprefix $(FUZZ_DIR)/,driver.o $(FUZZ_OBJS) $(WINDOWED)) \
	$(addprefix $(UNIT_DIR)/,$(filter-out $(WINDOWED),$(CORE)) $(FUZZ_LIB))

LIBFUZZER_CFLAGS = $(patsubst -O1,-O2,$(FUZZ_CFLAGS)) -Wno-unknown-warning-option -Wno-pass-failed -fsanitize=fuzzer
LIBFUZZER_OBJS = $(addprefix $(FUZZ_DIR)/clang/,$(CORE) $(FUZZ_OBJS) $(FUZZ_LIB))
LIBFUZZERS = $(patsubst %,$(FUZZ_DIR)/libfuzzer-%,$(filter-out quick,$(FUZZ_TARGETS)))

# "quick" is the probe target once more, without sanitizers and with the plainest
# coverage: forbidden pages show what is read or written out of bounds, and four
# times as many inputs are tried.
QUICK_CFLAGS = -fsanitize=fuzzer $(filter-out -fsanitize% -fno-sanitize%,$(LIBFUZZER_CFLAGS)) \
	-fno-sanitize-coverage=trace-cmp,indirect-calls
QUICK_OBJS = $(addprefix $(FUZZ_DIR)/quick/,$(CORE) $(FUZZ_OBJS) $(FUZZ_LIB))

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

-include $(call headers_of,$(FUZZ_DIR))
