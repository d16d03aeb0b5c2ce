/*
 * ribbon_map.h - the public interface of maps: values for keys, without the
 * keys
 *
 * A map, or static function, gives back the value that each of its keys was
 * built with [BuRR 1, 2].  It stores no keys.  Its ribbon systems hold r bits
 * per key that somebody supplies: for a filter a fingerprint, for a map the
 * value, and in front of it the check bits of a fingerprint, by which most keys
 * that are not in the map are turned away.
 *
 *	 records --ribbon_map_build--> bytes --ribbon_map_open--> RibbonMap
 *	                                                             |
 *	                                                      ribbon_map_get
 *
 * A record is two words: the key's hash, then its value word, any 64 bits.
 * Before a value word is stored it becomes a code: so many low bits, the value
 * bits, are enough to tell the values of one map from one another.  What codes
 * stand for is the caller's affair, who may store a dictionary in front.
 *
 * ribbon.h says what holds here, too: memory, interrupts, threads, that equal
 * sets give equal bytes, and that any bytes may be opened.
 */
#ifndef RIBBON_MAP_H
#define RIBBON_MAP_H

#include "ribbon.h"

#pragma GCC visibility push(default)

#define RIBBON_MAP_VERSION	  2
#define RIBBON_MAX_VALUE_BITS 64
#define RIBBON_RECORD_WORDS	  2 /* a hash and a value word */

/* Most columns of a ribbon system: check bits, value bits, one more. */
#define RIBBON_MAX_COLUMNS 56

/*
 * Planes of a map at most: where value bits and check bits are more than
 * RIBBON_MAX_COLUMNS, the uppermost value bits are in a second plane, without
 * check bits.
 */
#define RIBBON_MAP_PLANES 2

/* Bytes of a map's own header, without dictionary and planes, at most. */
#define RIBBON_MAP_HEADER 32

/* From a value word to its code.  Called by several threads at a time. */
typedef uint64_t (*RibbonCode)(const void *arg, uint64_t word);

/* What to build.  Fill every member. */
typedef struct RibbonMapParams
{
	int width;	   /* 32, 64, 128 or RIBBON_DEFAULT_WIDTH */
	double fpr;	   /* RIBBON_MIN_FPR .. RIBBON_MAX_FPR; or 1: no check bits */
	int key_class; /* as in RibbonParams */

	/* stored as they are: */
	unsigned value_class; /* 0 .. 255 */
	bool has_null;
	uint32_t seed;
	int64_t base; /* of a map without dictionary: what code 0 stands for */

	unsigned value_bits; /* 0 .. RIBBON_MAX_VALUE_BITS */
	RibbonCode code;	 /* its result has value_bits; NULL: word - base */
	const void *code_arg;

	/* stored in front of the planes, not empty; NULL: none, ndictionary is 0 */
	const uint8_t *dictionary;
	size_t ndictionary;
} RibbonMapParams;

/*
 * Check width, fpr, key class, value class, value bits and dictionary:
 * RIBBON_OK, RIBBON_BAD_PARAMS, or RIBBON_BAD_FPR (for NaN too).
 */
extern RibbonStatus ribbon_map_params_check(const RibbonMapParams *params);

/*
 * Sort the records by hash, and drop those that are repeated; *nrecords becomes
 * the number that is left.  It allocates as much again meanwhile, unless they
 * are sorted and distinct already.
 *
 * Errors: RIBBON_CONFLICT if a hash has two value words, whatever their codes;
 * then conflict[0..1] is one of its records and conflict[2..3] another.
 * RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.  After an error the array is of no
 * use.
 */
extern RibbonStatus ribbon_map_distinct(const RibbonEnv *env, uint64_t *records,
										size_t *nrecords, uint64_t conflict[4]);

/*
 * The bytes of the result bits of nkeys keys: no map built with these params
 * takes less.
 */
extern double ribbon_map_least_bytes(const RibbonMapParams *params,
									 uint64_t nkeys);

/*
 * Build a map of records[0 .. 2 nrecords), as ribbon_build builds a filter of
 * hashes.  If they are not in order and distinct, they are made so first
 * (ribbon_map_distinct).
 * Errors: those of ribbon_map_params_check, RIBBON_CONFLICT,
 * RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED, those of stores.
 */
extern RibbonStatus ribbon_map_build(const RibbonEnv *env,
									 const RibbonMapParams *params,
									 uint64_t *records, size_t nrecords,
									 size_t headroom, uint8_t **bytes,
									 size_t *nbytes);

/*
 * The same for a sealed store of nrecords records.  This store, and those that
 * env->open_store_of_records opens, hold records: each is two words, n counts
 * records, and read gives those whose hashes are in the range.  Besides the
 * result, and a second plane once more, it takes some 30 MB of memory, and 20
 * MB for each further thread.
 */
extern RibbonStatus ribbon_map_build_stored(const RibbonEnv *env,
											const RibbonMapParams *params,
											RibbonStore *store,
											uint64_t nrecords, size_t headroom,
											uint8_t **bytes, size_t *nbytes);

/*
 * A map opened for probing: its header, and pointers into the bytes, which must
 * stay where they are.  Read the members freely.
 */
typedef struct RibbonMap
{
	unsigned value_class;
	unsigned value_bits;
	bool has_null;
	bool checked; /* has check bits: fpr is not 1 */
	uint32_t seed;
	int64_t base;
	int key_class;
	uint64_t nkeys;
	const uint8_t *bytes;
	const uint8_t *dictionary; /* of ndictionary bytes, at dictionary_at; */
	uint64_t dictionary_at;	   /* these are 0 and it is NULL if there is none */
	uint64_t ndictionary;
	uint64_t total_bytes;

	/* of the first plane, which has the check bits and the lowest value bits */
	unsigned low_bits;
	unsigned nplanes;
	const RibbonFilter *planes[RIBBON_MAP_PLANES];
	uint64_t plane_at[RIBBON_MAP_PLANES]; /* first byte */
} RibbonMap;

/*
 * Open a map's bytes, as ribbon_open does a filter's.  planes[0..1] is memory
 * of the caller's that map refers to; planes[1] is set only if nplanes is 2.
 * Errors: RIBBON_TRUNCATED, RIBBON_BAD_VERSION, RIBBON_CORRUPT.
 */
extern RibbonStatus ribbon_map_open(const uint8_t *bytes, size_t nbytes,
									RibbonMap *map,
									RibbonFilter planes[RIBBON_MAP_PLANES]);

/*
 * The same for a map of nbytes bytes that are read in slices; see
 * ribbon_contains_sliced.  A map opened so is good only for ribbon_map_fpr,
 * reading its members, and ribbon_map_get_sliced; its dictionary is at byte
 * dictionary_at, and its pointers into the bytes are not to be followed.
 */
extern RibbonStatus ribbon_map_open_sliced(size_t nbytes, RibbonFetch fetch,
										   void *arg, RibbonMap *map,
										   RibbonFilter
											   planes[RIBBON_MAP_PLANES]);

/*
 * Get the code of the key with this hash.  False if the key is surely not in
 * the map.  True for each key of the map, with its code in *code; and for other
 * keys with probability ribbon_map_fpr(map), with any code of value_bits.
 */
extern bool ribbon_map_get_both(const RibbonMap *map, uint64_t hash,
								uint64_t *code);

static inline bool
ribbon_map_get(const RibbonMap *map, uint64_t hash, uint64_t *code)
{
	const RibbonFilter *plane = map->planes[0];

	if (map->nplanes > 1)
		return ribbon_map_get_both(map, hash, code);
	return plane->get(plane, hash, code);
}

/* The same for n hashes; codes[i] is set where found[i] is. */
extern void ribbon_map_get_batch(const RibbonMap *map, const uint64_t *hashes,
								 size_t n, bool *found, uint64_t *codes);

/* The same for a map that ribbon_map_open_sliced has opened. */
extern bool ribbon_map_get_sliced(const RibbonMap *map, uint64_t hash,
								  RibbonFetch fetch, void *arg, uint64_t *code);

/*
 * The probability that a map knows a random key that is not in it: 1 without
 * check bits, 0 if it is empty.
 */
extern double ribbon_map_fpr(const RibbonMap *map);

/* The number of slots of all ribbon systems. */
extern uint64_t ribbon_map_nslots(const RibbonMap *map);

/*
 * Check all bytes of the planes of an opened map, as ribbon_check does; the
 * dictionary is the caller's to check.
 */
extern RibbonStatus ribbon_map_check(const RibbonEnv *env,
									 const RibbonMap *map);

#pragma GCC visibility pop

#endif /* RIBBON_MAP_H */
