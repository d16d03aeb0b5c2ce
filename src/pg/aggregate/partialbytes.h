/*
 * partialbytes.h - a partial state of ribbon_build or ribbon_map as bytes
 *
 * What partial.c sends from one process to another, written and read.  Nothing
 * here knows the server, so that a fuzzer can read any bytes with it.
 *
 *----------
 *	 OFFSET  SIZE	MEANING
 *	 0       1		version of these bytes
 *	 1       2		kind (of a map: 3, of an exact set: 4), width
 *	 3       1		large: 0 or 1
 *	 4       4		key class, with the classes of its parts
 *	 8       8		false-positive rate, the bits of a double
 *	 16      8		number of words here; a large state has none
 *	 map
 *	 24      4		seed
 *	 28      1		value class
 *	 29      1		flags: see BuildValues
 *	 30      1		coding
 *	 31      1		0
 *	 32      16		least and greatest number
 *	 48      4		number of texts: those of the dictionary, after its head,
 *	         		which is the first; or 0 without a dictionary
 *	 52      ...	texts, each
 *	         4		length
 *	         ...	bytes
 *	 exact set
 *	 24      8		1 if there is an as_of, else 0
 *	 32      8		as_of, or 0
 *	 small
 *	         8 each	words: hashes, or records of a hash and a value word
 *	 large
 *	         4		number of files
 *	         4		number of lists of blocks: 1, or one for each part
 *	         60 each	files: pid, number, cookie, number of tablespaces, those
 *	         		lists, one after the other:
 *	         4		number of blocks
 *	         12 each	blocks: which of the files, which block, its words
 *----------
 *
 * All numbers are little-endian, and there is nothing behind the last.  The
 * head of a dictionary is that of value.h.
 */
#ifndef RIBBON_PARTIALBYTES_H
#define RIBBON_PARTIALBYTES_H

#include "ribbon.h"
#include "spill/block.h"

#define RIBBON_PARTIAL_VERSION 1

#define RIBBON_PARTIAL_MAP	 3 /* the kind: nothing that can be asked for */
#define RIBBON_PARTIAL_EXACT 4

/* What is the same for every row of a group: what to build of it. */
typedef struct BuildParams
{
	double fpr;	   /* of a map it may be 1 */
	int key_class; /* but the classes of its parts, which may be late */
	uint32_t seed; /* of a map, else 0 */
	uint8_t kind;  /* a RibbonKind; RIBBON_BURR for a map */
	uint8_t width;
	uint8_t coding; /* of a map, a RibbonCoding, else 0 */
	bool map;		/* of ribbon_map, */
	bool exact;		/* or of ribbon_build_exact, not of ribbon_build */
	uint8_t keys;	/* of a ribbonkeys, which has a context below the group's:
					 * the RibbonAggregate; else 0 */
	bool has_as_of; /* of an exact set, as the next */
	int64_t as_of;
} BuildParams;

/* Has it records, or hashes alone? */
static inline bool
ribbon_buildparams_records(const BuildParams *params)
{
	return params->map || params->exact;
}

#define BUILD_HAS_NULL	  1
#define BUILD_HAS_NUMBERS 2 /* least and greatest are set */
#define BUILD_HAS_NUMBER_LIKE_NULL \
	4 /* a number that is the word which stands for NULL */

/* What is known of the values of a map's keys so far, but a dictionary. */
typedef struct BuildRange
{
	int64_t least; /* of the numbers, if there are any */
	int64_t greatest;
	uint8_t value_class; /* a RibbonValueClass */
	uint8_t flags;
} BuildRange;

/* Sizes in bytes. */
#define RIBBON_PARTIAL_HEADER 24
#define RIBBON_PARTIAL_VALUES 28 /* what a map has behind that, then texts */
#define RIBBON_PARTIAL_AS_OF  16 /* what an exact set has there */
#define RIBBON_PARTIAL_NUMBER 4
#define RIBBON_PARTIAL_FILE \
	(4 * (3 + RIBBON_COOKIE_NUMBERS + RIBBON_MAX_TABLESPACES))
#define RIBBON_PARTIAL_BLOCK (4 * 3)

/* A state that has been read; the bytes must stay. */
typedef struct RibbonPartial
{
	BuildParams params;
	bool large;
	uint64_t nwords;	  /* of a small state */
	BuildRange range;	  /* of a map, as the next two */
	uint32_t ntexts;	  /* the head of its dictionary, and texts, or 0 */
	const uint8_t *texts; /* which are here */
	uint32_t nfiles;	  /* of a large one */
	uint32_t nlists;	  /* 1 or RIBBON_KEYSTORE_PARTS */
	const uint8_t *body;  /* the words, or the files */
	const uint8_t *lists; /* of a large one */
} RibbonPartial;

/* Are these ones to build with? */
extern bool ribbon_partial_check_params(const BuildParams *params);

/*
 * Read all but what the numbers of pids, files and tablespaces stand for, which
 * only the server knows.  false if these bytes are not a state; if they are,
 * nothing of what follows can fail.  The classes of keys and values may be any,
 * and texts any bytes.
 */
extern bool ribbon_partial_read(RibbonPartial *partial, const uint8_t *bytes,
								size_t nbytes);

/* One of the texts, of *length bytes.  *at is partial->texts at first. */
extern const uint8_t *ribbon_partial_next_text(const uint8_t **at,
											   uint32_t *length);

/* Copy the words of a small state. */
extern void ribbon_partial_words(const RibbonPartial *partial, uint64_t *words);

/* One of the files of a large state. */
extern RibbonFileName ribbon_partial_file(const RibbonPartial *partial,
										  uint32_t i);

/*
 * From the beginning of the lists on: the number of blocks of a list, then
 * each of them, then the next list's.  *at moves on.
 */
extern uint32_t ribbon_partial_next_number(const uint8_t **at);
extern RibbonBlock ribbon_partial_next_block(const uint8_t **at);

/* Write a part of a state, and return where the next one goes. */
extern uint8_t *ribbon_partial_put_header(uint8_t *out,
										  const BuildParams *params, bool large,
										  uint64_t nwords);

/* Of an exact set, behind the header. */
extern uint8_t *ribbon_partial_put_exact(uint8_t *out,
										 const BuildParams *params);

/* Of a map, behind the header; so many texts follow. */
extern uint8_t *ribbon_partial_put_values(uint8_t *out,
										  const BuildParams *params,
										  const BuildRange *range,
										  uint32_t ntexts);
extern uint8_t *ribbon_partial_put_text(uint8_t *out, const void *text,
										uint32_t length);
extern uint8_t *ribbon_partial_put_words(uint8_t *out, const uint64_t *words,
										 size_t n);
extern uint8_t *ribbon_partial_put_number(uint8_t *out, uint32_t number);
extern uint8_t *ribbon_partial_put_file(uint8_t *out,
										const RibbonFileName *name);
extern uint8_t *ribbon_partial_put_block(uint8_t *out,
										 const RibbonBlock *block);

#endif /* RIBBON_PARTIALBYTES_H */
