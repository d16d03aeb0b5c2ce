/*
 * partialbytes.h - a partial state of ribbon_build as bytes
 *
 * What partial.c sends from one process to another, written and read.  Nothing
 * here knows the server, so that a fuzzer can read any bytes with it.
 *
 *----------
 *	 OFFSET  SIZE	MEANING
 *	 0       1		version of these bytes
 *	 1       2		kind, width
 *	 3       1		large: 0 or 1
 *	 4       4		key class, with the classes of its parts
 *	 8       8		false-positive rate, the bits of a double
 *	 16      8		number of hashes here; a large state has none
 *	 small
 *	 24      8 each	hashes
 *	 large
 *	 24      4		number of files
 *	         4		number of lists of blocks: 1, or one for each part
 *	         60 each	files: pid, number, cookie, number of tablespaces, those
 *	         		lists, one after the other:
 *	         4		number of blocks
 *	         12 each	blocks: which of the files, which block, its hashes
 *----------
 *
 * All numbers are little-endian, and there is nothing behind the last.
 */
#ifndef RIBBON_PARTIALBYTES_H
#define RIBBON_PARTIALBYTES_H

#include "ribbon.h"
#include "spill/block.h"

#define RIBBON_PARTIAL_VERSION 3

/* Sizes in bytes. */
#define RIBBON_PARTIAL_HEADER 24
#define RIBBON_PARTIAL_NUMBER 4
#define RIBBON_PARTIAL_FILE \
	(4 * (3 + RIBBON_COOKIE_NUMBERS + RIBBON_MAX_TABLESPACES))
#define RIBBON_PARTIAL_BLOCK (4 * 3)

/* A state that has been read; the bytes must stay. */
typedef struct RibbonPartial
{
	RibbonParams params;
	bool large;
	uint64_t nhashes;	  /* of a small state */
	uint32_t nfiles;	  /* of a large one */
	uint32_t nlists;	  /* 1 or RIBBON_KEYSTORE_PARTS */
	const uint8_t *body;  /* the hashes, or the files */
	const uint8_t *lists; /* of a large one */
} RibbonPartial;

/*
 * Read all but what the numbers of pids, files and tablespaces stand for, which
 * only the server knows.  false if these bytes are not a state; if they are,
 * nothing of what follows can fail.  The key class may be any.
 */
extern bool ribbon_partial_read(RibbonPartial *partial, const uint8_t *bytes,
								size_t nbytes);

/* Copy the hashes of a small state. */
extern void ribbon_partial_hashes(const RibbonPartial *partial,
								  uint64_t *hashes);

/* One of the files of a large state. */
extern RibbonFileName ribbon_partial_file(const RibbonPartial *partial,
										  uint32_t i);

/*
 * From the beginning of the lists on: the number of blocks of a list, then
 * each of them, then the next list's.  *at moves on.
 */
extern uint32_t ribbon_partial_next_list(const uint8_t **at);
extern RibbonBlock ribbon_partial_next_block(const uint8_t **at);

/* Write a part of a state, and return where the next one goes. */
extern uint8_t *ribbon_partial_put_header(uint8_t *out,
										  const RibbonParams *params,
										  bool large, uint64_t nhashes);
extern uint8_t *ribbon_partial_put_hashes(uint8_t *out, const uint64_t *hashes,
										  size_t n);
extern uint8_t *ribbon_partial_put_number(uint8_t *out, uint32_t number);
extern uint8_t *ribbon_partial_put_file(uint8_t *out,
										const RibbonFileName *name);
extern uint8_t *ribbon_partial_put_block(uint8_t *out,
										 const RibbonBlock *block);

#endif /* RIBBON_PARTIALBYTES_H */
