/*
 * block.h - where hashes and records are in temporary files
 *
 * Nothing here knows the server, so that what is sent between processes
 * (partialbytes.h) can be read without it.
 */
#ifndef RIBBON_BLOCK_H
#define RIBBON_BLOCK_H

#include <stdint.h>

/* 32 kB: long enough to be read at speed, short enough for a small group. */
#define RIBBON_BLOCK_WORDS 4096

/* Lists that a large set is cut into, by the highest bits of its hashes. */
#define RIBBON_KEYSTORE_PARTS 256

#define RIBBON_MAX_TABLESPACES 8 /* of temp_tablespaces; see FileSet */
#define RIBBON_COOKIE_NUMBERS  4 /* of four bytes */

/* Up to RIBBON_BLOCK_WORDS words of a file: hashes, or whole records. */
typedef struct RibbonBlock
{
	uint64_t first;	 /* its first hash, in a store that is sealed */
	uint32_t file;	 /* which of the spill's */
	uint32_t number; /* which block of the file */
	uint32_t nwords;
} RibbonBlock;

/*
 * What identifies a file that other processes of a query can open, together
 * with the pid of the group's leader.  The cookie is a random number that the
 * file begins with, so that a name cannot be guessed.
 */
typedef struct RibbonFileName
{
	uint32_t pid;	 /* who created it */
	uint32_t number; /* and which of that process' files it is */
	uint32_t cookie[RIBBON_COOKIE_NUMBERS];
	uint32_t ntablespaces;
	uint32_t tablespaces[RIBBON_MAX_TABLESPACES]; /* their OIDs */
} RibbonFileName;

#endif /* RIBBON_BLOCK_H */
