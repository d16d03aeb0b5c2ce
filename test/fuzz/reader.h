/*
 * reader.h - a filter read slowly, bit by bit, by docs/format.md alone
 */
#ifndef RIBBON_FUZZ_READER_H
#define RIBBON_FUZZ_READER_H

#include "header.h"

typedef struct ReaderSystem
{
	uint64_t nslots;
	unsigned width;
	unsigned row; /* w' */
	unsigned columns;
	unsigned wide;
	uint64_t smash;
	uint64_t nstarts;
	uint64_t wide_block;
	const uint8_t *thresholds;
	const uint8_t *slots;
} ReaderSystem;

typedef struct Reader
{
	Header header;
	unsigned split;
	unsigned rotation;
	ReaderSystem layers[HEADER_MAX_LAYERS];
	ReaderSystem zones[HEADER_MAX_ZONES]; /* homogeneous: zones[0] */
	const uint8_t *end;
} Reader;

/* Are these the bytes of a filter? */
extern bool reader_open(Reader *reader, const uint8_t *bytes, size_t nbytes);

extern bool reader_contains(const Reader *reader, uint64_t hash);

#endif /* RIBBON_FUZZ_READER_H */
