/*
 * exports.h - what the modules show to JavaScript, and how
 *
 * Addresses are numbers of 32 bits there, words of 64 bits are BigInts, and
 * sizes that may be larger than memory are doubles.  Results that are more than
 * a number are written to memory that the caller gives.  Statuses are those of
 * ribbon_core.h.
 */
#ifndef RIBBON_WASM_EXPORTS_H
#define RIBBON_WASM_EXPORTS_H

#include "keys/hashes.h"
#include "ribbon_core.h"

#define EXPORT(name) __attribute__((export_name(name)))

/*
 * What there is to know of an opened filter; every member has 8 bytes.  ABOUT
 * of lib/engine.js names the same ones (test/build/layouts.py).
 */
typedef struct About
{
	uint64_t keys;
	uint64_t bytes;
	int64_t base;
	uint64_t dictionary_at;
	uint64_t dictionary_bytes;
	double fpr;
	uint64_t key_class;
	uint64_t is_map;
	uint64_t has_null;
	uint64_t value_class;
	uint64_t value_bits;
	uint64_t seed;
	uint64_t kind;
	uint64_t width;
	uint64_t layers;
	uint64_t slots;
	uint64_t empty_slots;
	uint64_t bumped_keys;
	uint64_t universe;
	uint64_t has_as_of;
	int64_t as_of;
	uint64_t coding;
	uint64_t has_rate;
	uint64_t code_bits;
	uint64_t coded_values;
	uint64_t table_bytes;
	uint64_t format_version;
} About;

/* The hash of a key of one word, in a filter or a map with this seed. */
static inline uint64_t
hash_of_word(uint64_t word, uint32_t seed)
{
	return seed == 0 ? ribbon_hash_word(word) :
					   ribbon_hash_bytes_seeded(&word, sizeof(word), seed);
}

#endif /* RIBBON_WASM_EXPORTS_H */
