# unit.mk - the core compiled for tests: make unit-programs
#
# Included by commands.mk.  ASan and UBSan are on.  Debug information has lines, which a
# sanitizer tells; variables, too, would take half a gigabyte more.

UNIT_DIR = build/unit
UNIT_CFLAGS = $(PLAIN_CFLAGS) -O1 -g1 -Werror -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_CORE = $(addprefix $(UNIT_DIR)/,$(CORE))
UNIT_PROGRAMS = $(patsubst test/unit/%.c,$(UNIT_DIR)/%,$(wildcard test/unit/*/test_*.c))

# What tests run for minutes is compiled for speed; but probes and vectors take longer to
# compile then than that saves.
UNIT_FAST = $(addprefix $(UNIT_DIR)/,$(filter-out probe/% %_vector.o,$(CORE)))
$(UNIT_FAST): UNIT_CFLAGS := $(patsubst -O1,-O2,$(UNIT_CFLAGS))

.PHONY: unit-programs
unit-programs: $(UNIT_CORE) $(UNIT_PROGRAMS)

$(eval $(call compile,$(UNIT_DIR),src/core,$(CC) $$(UNIT_CFLAGS)))
$(eval $(call compile,$(UNIT_DIR),test/unit,$(CC) $(UNIT_CFLAGS) -Itest/unit/lib))

$(UNIT_PROGRAMS): %: %.o $(UNIT_CORE)
	$(CC) $(UNIT_CFLAGS) -o $@ $^ -lm -pthread

-include $(call headers_of,$(UNIT_DIR))
