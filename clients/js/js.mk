# js.mk - make js: the core as WebAssembly, for clients/js
#
# Included by commands.mk.  Objects are in build/js, the two modules in clients/js/dist.
# What a build spends its time in is compiled for speed, all else for size: with -Os
# probes are as fast as with -O2 (-Oz: a third slower), and the module that probes is 4 kB
# smaller.

JS_DIR = build/js
JS_DIST = clients/js/dist
WASM_CC = clang
WASM_CFLAGS = --target=wasm32 -std=c11 -ffreestanding -flto -fvisibility=hidden $(CORE_MEANING) \
	-mbulk-memory -msimd128 -mnontrapping-fptoint -msign-ext -DXXH_NO_STREAM -DXXH_VECTOR=0 -U__SIZEOF_INT128__ \
	-Isrc/core -Iclients/js/src/include -isystem $(JS_DIR)/include -MMD -MP -Wall -Wextra
WASM_LDFLAGS = --target=wasm32 -flto -nostdlib -Wl,--lto-O2 -Wl,--no-entry -Wl,--gc-sections -Wl,--strip-all

# The kernel is our own, and CPUs are not told apart; there are no threads.  Values are JavaScript's.
WASM_CORE = $(filter-out base/kernel.o base/threads.o probe/kernel_% probe/probes.o values/%,$(CORE))
WASM_PROBE = memory.o kernel.o probe.o $(filter base/% keys/% format/% probe/% inspect/%,$(WASM_CORE))
WASM_BUILD = memory.o kernel.o build.o $(WASM_CORE)
WASM_FAST = $(addprefix $(JS_DIR)/,set/sort.o set/distinct.o set/read.o set/derive.o \
	$(patsubst src/core/%.c,%.o,$(wildcard src/core/solve/*.c)) \
	$(addprefix construct/,layer.o homog.o fill.o window.o window_buckets.o))

.PHONY: js js-modules
js:
	@bash test/lib/setup.sh js
	@$(MAKE) --no-print-directory js-modules

js-modules: $(JS_DIST)/inline.js

$(JS_DIST)/inline.js: clients/js/tools/inline.mjs $(JS_DIST)/ribbon.wasm $(JS_DIST)/ribbon-build.wasm
	node $< $@ $(filter %.wasm,$^)

$(JS_DIST)/ribbon.wasm: $(addprefix $(JS_DIR)/,$(WASM_PROBE))
$(JS_DIST)/ribbon-build.wasm: $(addprefix $(JS_DIR)/,$(WASM_BUILD))
$(JS_DIST)/%.wasm:
	@mkdir -p $(@D)
	$(WASM_CC) $(WASM_LDFLAGS) -Wl,-z,stack-size=$(WASM_STACK) -o $@ $^

# a build's longest frame is that of sweeps, side by side
WASM_STACK = 65536
$(JS_DIST)/ribbon-build.wasm: WASM_STACK = 1048576

$(WASM_FAST): WASM_LEVEL = -O2
$(addprefix $(JS_DIR)/,kernel.o probe.o keys/hashes.o): WASM_LEVEL = -Os
WASM_LEVEL = -Oz

$(eval $(call compile,$(JS_DIR),src/core,$$(WASM_CC) $$(WASM_CFLAGS) $$(WASM_LEVEL)))
$(eval $(call compile,$(JS_DIR),clients/js/src,$$(WASM_CC) $$(WASM_CFLAGS) $$(WASM_LEVEL)))

# Of the system's headers xxhash.h alone, wherever it is.
WASM_OBJS = $(addprefix $(JS_DIR)/,$(WASM_BUILD) probe.o)
$(WASM_OBJS): clients/js/js.mk core.mk | $(JS_DIR)/include/xxhash.h
$(JS_DIR)/include/xxhash.h:
	@mkdir -p $(@D)
	@ln -sf "$$(echo '#include <xxhash.h>' | $(CC) -E - | sed -n 's|^# 1 "\(/.*/xxhash.h\)".*|\1|p' | head -n 1)" $@

-include $(call headers_of,$(JS_DIR))

# The page of docs/explain, with the core in it; PAGE_PORT is where it is served.

PAGE_PORT ?= 8027

.PHONY: page
page:
	@bash test/lib/setup.sh js page
	@$(MAKE) --no-print-directory js-modules
	@node clients/js/tools/page.mjs $(PAGE_PORT)

# The package in bundlers and runtimes, of which npm installs the oldest and newest in
# build/bundlers: some minutes.  BUNDLERS names some: make test-bundlers BUNDLERS="vite next".

BUNDLERS =

.PHONY: test-bundlers
test-bundlers:
	@bash test/lib/setup.sh js browser bundlers
	@node clients/js/test/bundlers/bundlers.mjs build/bundlers $(BUNDLERS)

clean: clean-js
.PHONY: clean-js
clean-js:
	rm -rf $(JS_DIST) clients/js/LICENSE docs/explain/core.js docs/explain/words.js docs/explain/leaked.ribbon
