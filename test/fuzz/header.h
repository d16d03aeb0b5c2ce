/*
 * header.h - the header of a filter or map, field by field, as docs/format.md
 * has it
 *
 * For reading filters slowly (reader.c) and for spoiling them with care
 * (mutate_filter.c).  Written from the document; nothing of
 * src/core/format/head.c is used, so that the two can be held against each
 * other.
 */
#ifndef RIBBON_FUZZ_HEADER_H
#define RIBBON_FUZZ_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEADER_MAX_LAYERS 7
#define HEADER_MAX_ZONES  32
#define HEADER_MAX_SIZE	  640

#define HEADER_SHRUNK	 0x01 /* of flags */
#define HEADER_SALTED	 0x02
#define HEADER_VALUES	 0x04
#define HEADER_UNCHECKED 0x08
#define HEADER_EXTRA	 0x20

/* The fields as they are written, whatever they are. */
typedef struct Header
{
	unsigned version;
	unsigned width_code;
	bool homogeneous;
	bool layered;
	unsigned key_class;
	bool flagged;
	unsigned flags;
	unsigned columns; /* 1 .. 32 */
	unsigned wide;
	uint64_t nkeys;
	unsigned key_parts; /* if key_class is 23 to 26 */
	unsigned values[2]; /* the two bytes */
	uint64_t base;
	uint64_t seed;
	uint64_t ndictionary;
	unsigned extra;
	uint64_t nextra;
	const uint8_t *blob; /* dictionary and extra, as they were read */
	unsigned nlayers;
	unsigned split;
	uint64_t salt;
	unsigned scheme;
	uint64_t bumped[HEADER_MAX_LAYERS];
	uint64_t layer_slots[HEADER_MAX_LAYERS]; /* less kept keys, sign folded */
	uint64_t spare; /* times 16, plus rotation if split */
	uint64_t zone_slots[HEADER_MAX_ZONES]; /* less expected, sign folded */
	uint8_t seeds[HEADER_MAX_ZONES / 2];
	unsigned dependence;
	/* what follows from them */
	unsigned nzones[2];
	size_t size;
} Header;

/* The share of the keys in wide zones. */
extern unsigned header_split(const Header *header);

/* Keys that reach a layer; nlayers is the last layer. */
extern uint64_t header_keys(const Header *header, unsigned layer);

/* Set nzones. */
extern void header_count_zones(Header *header);

/* The difference that was folded, modulo 2^64; and back. */
extern uint64_t header_unfold(uint64_t folded);
extern uint64_t header_fold(uint64_t difference);

/*
 * Read fields to the end of the header, without judging them.  false if the
 * bytes end before, or a varint is not one.
 */
extern bool header_read(Header *header, const uint8_t *bytes, size_t nbytes);

/* Write at most HEADER_MAX_SIZE bytes; sets nzones and size. */
extern void header_write(Header *header, uint8_t *out);

#endif /* RIBBON_FUZZ_HEADER_H */
