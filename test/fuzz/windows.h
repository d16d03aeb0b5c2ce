/*
 * windows.h - the sizes of windows as variables, for small sets to have many
 *
 * Included before those files of the core that cut large sets into windows
 * (cut.h), or derive sets (derive.h): target_store.c sets the
 * variables.  They begin with what the core has without this file, so nothing
 * is different for the other targets.
 */
#ifndef RIBBON_FUZZ_WINDOWS_H
#define RIBBON_FUZZ_WINDOWS_H

#include <stdint.h>

extern uint64_t fuzz_cut_slots;
extern uint64_t fuzz_cut_grouped;
extern uint64_t fuzz_words_in_memory;

#define RIBBON_CUT_SLOTS	 fuzz_cut_slots
#define RIBBON_CUT_GROUPED	 fuzz_cut_grouped
#define RIBBON_SET_IN_MEMORY fuzz_words_in_memory

#endif /* RIBBON_FUZZ_WINDOWS_H */
