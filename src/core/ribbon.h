/*
 * ribbon.h - the public interface of the ribbon core: filters and maps
 *
 * A ribbon filter answers "is this key in the set?" from a few bits per key.
 * For a member it says yes; for a non-member it says yes with a probability
 * that was chosen when the filter was built, its false-positive rate (FPR).
 *
 * A map gives back the value that each of its keys was built with [BuRR 1, 2].
 * A key that is not in it is turned away, except with the probability FPR.  A
 * filter is a map whose values have no bits.  Both hold c check bits (perhaps a
 * fraction) and v value bits per key, and neither holds the keys.  Here,
 * "filter" stands for both.
 *
 * This library builds filters from 64-bit hashes of keys, each filter as one
 * sequence of bytes (docs/format.md), and probes them in place.
 *
 *	 hashes, or records --ribbon_build--> bytes --ribbon_open--> RibbonFilter
 *	                                        |                        |
 *	                                  ribbon_shrink         ribbon_contains
 *	                                                        ribbon_get
 *
 * A record is two words: the key's hash, then its value word, any 64 bits.
 * Before a value word is stored it becomes a code of v bits, which are enough
 * to tell the values of this map from one another.  The caller decides what
 * codes stand for, and may store a dictionary in front.
 *
 * The core knows nothing of PostgreSQL.  Memory comes from the caller's
 * RibbonEnv, failures are returned as a RibbonStatus, nothing is printed, and
 * the only global that is written is the choice of a kernel, at the first use.
 * Probing allocates nothing.  Threads may call all functions at the same time,
 * on different data; an opened filter may be probed by many threads.
 *
 * Two filters built from the same set with the same RibbonParams are the same
 * bytes, whatever the order of the hashes, the duplicates among them, the
 * machine, its instruction set and the number of threads.
 *
 * [RF] is arXiv 2103.02515, [BuRR] arXiv 2109.01892, with section numbers; see
 * docs/algorithm.md, and docs/glossary.md for the words.
 */
#ifndef RIBBON_H
#define RIBBON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A library that is made of the core shows these functions and hides others. */
#pragma GCC visibility push(default)

/*
 * What a call returns.  Results are set only with RIBBON_OK; with any other
 * status there is nothing for the caller to free.
 */
typedef enum RibbonStatus
{
	RIBBON_OK = 0,
	RIBBON_OUT_OF_MEMORY, /* RibbonEnv.alloc returned NULL */
	RIBBON_INTERRUPTED,	  /* RibbonEnv.interrupted returned true */
	RIBBON_BAD_FPR,		  /* FPR outside RIBBON_MIN_FPR..RIBBON_MAX_FPR */
	RIBBON_BAD_PARAMS,	  /* unknown kind or width, bad key class */
	RIBBON_NOT_LARGER,	  /* ribbon_shrink: FPR is below the filter's own */
	RIBBON_TRUNCATED,	  /* fewer bytes than the header calls for */
	RIBBON_BAD_VERSION,	  /* format version that this library cannot read */
	RIBBON_CORRUPT,		  /* a header that no builder writes, or more bytes */
	RIBBON_CONFLICT,	  /* equal hashes have different values */
	RIBBON_BAD_STORE, /* a store gave fewer hashes than it counted, or more */
	RIBBON_IS_EXACT,  /* ribbon_shrink: of an exact set no bit can be dropped */
	/* only from ribbon_check: */
	RIBBON_BAD_LAYERS,	   /* a layer has as many slots as keys, or more */
	RIBBON_BAD_THRESHOLDS, /* they contradict the number of bumped keys */
	RIBBON_BAD_PADDING,	   /* unused bits are set */
	RIBBON_BAD_RATE,	   /* the slots have another FPR than the header says */
	RIBBON_BAD_CODES,	   /* a map's table of codes is not in order */
	RIBBON_NSTATUS
} RibbonStatus;

/*
 * An English text for a status, without capital and full stop; never NULL.  It
 * is constant: not to be freed.
 */
extern const char *ribbon_status_text(RibbonStatus status);

#define RIBBON_RECORD_WORDS 2 /* a hash and a value word */

/*
 * A store keeps a set of hashes outside of memory, in files for example.  The
 * caller implements it, for sets that do not fit into memory.  The core calls
 * add any number of times, then seal once, then read any number of times.  Who
 * opened a store closes it: the caller those that it gives to
 * ribbon_build_stored, the core those that it opens with RibbonEnv.open_store.
 * If a function returns a status other than RIBBON_OK, the build ends with it.
 *
 * In a store of records each element is RIBBON_RECORD_WORDS words; n counts
 * records, and read gives those whose hashes are in the range.
 */
typedef struct RibbonStore RibbonStore;
struct RibbonStore
{
	/* Add hashes[0..n), in any order. */
	RibbonStatus (*add)(RibbonStore *store, const uint64_t *hashes, size_t n);

	/* Sort, and drop duplicates; *nhashes is the number of hashes left. */
	RibbonStatus (*seal)(RibbonStore *store, uint64_t *nhashes);

	/*
	 * Set *n to the number of hashes first <= hash <= last (SIZE_MAX if size_t
	 * cannot hold it).  If that is at most room, copy them, in order, to
	 * hashes[0..*n); otherwise set nothing else.
	 */
	RibbonStatus (*read)(RibbonStore *store, uint64_t first, uint64_t last,
						 uint64_t *hashes, size_t room, size_t *n);

	/* Free the store.  Called at any time, once. */
	void (*close)(RibbonStore *store);
};

/*
 * What the core asks of its caller.  alloc returns memory aligned for any type
 * or NULL; free accepts what alloc returned, and NULL.  interrupted is asked
 * at least every millisecond or so of work; once it has returned true the call
 * cleans up and returns RIBBON_INTERRUPTED.  It may be NULL (never).
 *
 * Any callback, and any function of a store, may longjmp out of the core, if
 * the caller then frees all that it has given: the core holds nothing else (no
 * lock, file or thread, and no global refers to it).  That must be in the
 * thread that called the core; a task of run may only return.
 */
typedef struct RibbonEnv RibbonEnv;

/* Part i of a piece of work that the core divides; see RibbonEnv.run. */
typedef RibbonStatus RibbonTask(const RibbonEnv *env, void *arg, unsigned i);

struct RibbonEnv
{
	void *(*alloc)(void *arg, size_t size);
	void (*free)(void *arg, void *ptr);
	bool (*interrupted)(void *arg);
	void *arg;

	/*
	 * Open a store for about nexpected elements of so many words (1: hashes, or
	 * RIBBON_RECORD_WORDS), and set *store.  It may be NULL: then hashes of
	 * bumped keys stay in memory.
	 */
	RibbonStatus (*open_store)(void *arg, uint64_t nexpected, unsigned words,
							   RibbonStore **store);

	/*
	 * Call task(env, task_arg, i) for each i from 0 to n - 1, in any order, in
	 * several threads if there are any, and return when all have returned:
	 * RIBBON_OK if all tasks returned that, else the status of one that did
	 * not.  The env of the tasks is one that several threads may use at the
	 * same time; it need not be this one.  A task that returned
	 * RIBBON_INTERRUPTED may be called again.  nthreads is the number of tasks
	 * that run at the same time.  run may be NULL: then the core calls the
	 * tasks itself.
	 */
	RibbonStatus (*run)(void *arg, unsigned n, RibbonTask *task,
						void *task_arg);
	unsigned nthreads;

	/*
	 * Called from time to time: the share (0 .. 1) of layer (0, 1, ...) that is
	 * solved.  May be NULL.
	 */
	void (*progress)(void *arg, int layer, double share);
};

/* malloc, free, and no interrupts: for tests and programs. */
extern const RibbonEnv ribbon_malloc_env;

#define RIBBON_FORMAT_VERSION 1
#define RIBBON_MIN_FPR		  (1.0 / 4294967296.0) /* 2^-32 */
#define RIBBON_MAX_FPR		  0.5
#define RIBBON_DEFAULT_WIDTH  0 /* 64, or 128 where slots hold few bits */
#define RIBBON_MAX_VALUE_BITS 64

typedef enum RibbonKind
{
	RIBBON_BURR = 0,		/* bumped ribbon [BuRR 1.1, 7]: smallest */
	RIBBON_HOMOGENEOUS = 1, /* homogeneous ribbon [RF 4]: fastest to probe */
	RIBBON_AUTO = 2,		/* the kind that takes fewer bytes; to build only */
	RIBBON_EXACT = 3 /* right about a universe; only ribbon_info says it */
} RibbonKind;

/* From a value word to its code.  Called by several threads at a time. */
typedef uint64_t (*RibbonCode)(const void *arg, uint64_t word);

/*
 * How a map stores codes: all in the same number of bits (plain), or in fewer
 * bits the more keys have the value (a Huffman code).  The latter is for 2 to
 * RIBBON_MAX_CODES different values; with fewer or more, codes are plain.
 */
#define RIBBON_MAX_CODES 262144

typedef enum RibbonCoding
{
	RIBBON_CODE_PLAIN = 0,
	RIBBON_CODE_ENTROPY = 1,
	RIBBON_CODE_AUTO = 2 /* that which takes fewer bytes; to build only */
} RibbonCoding;

/* The values of a map.  Fill every member. */
typedef struct RibbonValues
{
	/* stored as they are: */
	unsigned value_class; /* 0 .. 63 */
	bool has_null;
	uint32_t seed;
	int64_t base; /* without a dictionary: what code 0 stands for */

	unsigned bits; /* of a code: 0 .. RIBBON_MAX_VALUE_BITS */
	RibbonCoding coding;
	RibbonCode code; /* its result has so many bits; NULL: word - base */
	const void *code_arg;

	/* stored in the header, not empty; NULL: none, and ndictionary is 0 */
	const uint8_t *dictionary;
	size_t ndictionary;
} RibbonValues;

/* What to build.  Fill every member. */
typedef struct RibbonParams
{
	RibbonKind kind; /* with values: RIBBON_BURR */
	int width;		 /* ribbon width w: 32, 64, 128 or RIBBON_DEFAULT_WIDTH; if
					  * homogeneous, 32 becomes 64 where fpr is below 2^-20 */
	double fpr;		 /* RIBBON_MIN_FPR .. RIBBON_MAX_FPR; with values also 1,
					  * which means no check bits */
	int key_class;	 /* what the caller hashes: a number that is only stored;
					  * base/keynumber.h says which there can be */
	const RibbonValues *values; /* NULL: a filter */
} RibbonParams;

/*
 * Check kind, width, FPR, key class, value class, value bits and dictionary:
 * RIBBON_OK, RIBBON_BAD_PARAMS, or RIBBON_BAD_FPR (for NaN too).
 */
extern RibbonStatus ribbon_params_check(const RibbonParams *params);

/* What an array of words consists of. */
typedef enum RibbonElementKind
{
	RIBBON_HASHES,
	RIBBON_MAP_RECORDS,
	RIBBON_EXACT_RECORDS /* of an exact set: see below */
} RibbonElementKind;

/*
 * Sort *n elements by their hashes and drop duplicates; *n becomes the number
 * that is left.  It allocates as much memory meanwhile, unless they are sorted
 * and distinct already.  Records of an exact set that have one hash are in the
 * order of their words.  ribbon_build does all this itself if it has not been
 * done.
 *
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED; and RIBBON_CONFLICT if a
 * hash has two value words, whatever their codes, or a key of an exact set is a
 * member and is not.  Then conflict[0..1] is one of the records, and
 * conflict[2..3] the other.  conflict may be NULL for hashes.  After an error
 * the array is of no use.
 */
extern RibbonStatus ribbon_distinct(const RibbonEnv *env,
									RibbonElementKind kind, uint64_t *words,
									size_t *n, uint64_t conflict[4]);

/*
 * The bytes of the result bits and value bits of nkeys keys: no filter built
 * with these params takes less.
 */
extern double ribbon_least_bytes(const RibbonParams *params, uint64_t nkeys);

/*
 * The bytes that a filter of nkeys keys, 0 .. 2^48, can be expected to take.
 * params must be valid, and without values.  Filters of random sets differ from
 * it by up to 0.5 % and 12 bytes, homogeneous ones by up to 4 % and 12 bytes
 * (test_size).  Sets that were chosen to be hard may take more.
 */
extern uint64_t ribbon_expected_bytes(const RibbonParams *params,
									  uint64_t nkeys);

/*
 * Build a filter of nkeys 64-bit hashes; or, if params->values is not NULL, a
 * map of nkeys records.
 *
 * The array is the caller's.  First it is sorted, with the distinct ones in
 * front (ribbon_distinct); after that it is only read.  Equal ones count once.
 * nkeys may be 0.
 *
 * On RIBBON_OK *bytes is a buffer from env->alloc, which the caller frees:
 * first headroom bytes, which are not set (a server puts a length there), then
 * the filter's *nbytes bytes.  The buffer may be larger than that.
 *
 * Errors: those of ribbon_params_check, RIBBON_CONFLICT (of records),
 * RIBBON_OUT_OF_MEMORY (also for more than 2^48 keys), RIBBON_INTERRUPTED, and
 * those of stores that env opens.
 */
extern RibbonStatus ribbon_build(const RibbonEnv *env,
								 const RibbonParams *params, uint64_t *keys,
								 size_t nkeys, size_t headroom, uint8_t **bytes,
								 size_t *nbytes);

/*
 * The same for the nkeys hashes, or records, of a sealed store, which stays the
 * caller's.  Besides the result it takes some 24 MB of memory, and 15 MB for
 * each further thread, however many keys there are; for a map 30 MB, 20 MB, and
 * a second plane (docs/format.md) once more, or the whole map where its codes
 * are not plain, with 20 MB more meanwhile.  The store is read by ranges of
 * some half a million keys, mostly from the highest hashes down, up to several
 * times.  env->open_store must be set.  Errors: those of ribbon_build and of
 * the store.
 */
extern RibbonStatus ribbon_build_stored(const RibbonEnv *env,
										const RibbonParams *params,
										RibbonStore *store, uint64_t nkeys,
										size_t headroom, uint8_t **bytes,
										size_t *nbytes);

/*
 * An exact set is a filter that is right about all keys of a known universe: it
 * has the universe's members, and says no to all of its other keys.  Of keys
 * outside it knows nothing.
 *
 * It is built from records of all keys of the universe: a key's hash, and a
 * word that has the second hash of the key, but for its lowest bit, which says
 * whether it is a member.  Keys whose hashes are equal are told apart by the
 * second ones; then the set has a seed (RibbonFilter), and is to be asked for
 * hashes that are made of both (ribbon_hash_with_seed).
 */
#define RIBBON_MEMBER UINT64_C(1)

static inline uint64_t
ribbon_exact_word(uint64_t second_hash, bool member)
{
	return (second_hash & ~RIBBON_MEMBER) | member;
}

/*
 * Can an exact set be right as of this time, in microseconds since 2000-01-01
 * 00:00 UTC?  Those are the timestamps of PostgreSQL; INT64_MIN and INT64_MAX
 * are -infinity and infinity.
 */
extern bool ribbon_is_as_of(int64_t time);

/* What to build.  Fill every member. */
typedef struct RibbonExactParams
{
	int width;	   /* ribbon width w, or RIBBON_DEFAULT_WIDTH */
	int key_class; /* as in RibbonParams */
	bool has_as_of;
	int64_t as_of; /* ribbon_is_as_of holds, or has_as_of does not */
} RibbonExactParams;

/*
 * Build an exact set of nrecords records.  It is as small as the sizes of
 * several plans say (construct/exact.h).  The rest is as with ribbon_build, and
 * ribbon_build_stored; a sealed store has no record twice.  Errors also:
 * RIBBON_CONFLICT if a key is a member and is not.
 */
extern RibbonStatus ribbon_build_exact(const RibbonEnv *env,
									   const RibbonExactParams *params,
									   uint64_t *records, size_t nrecords,
									   size_t headroom, uint8_t **bytes,
									   size_t *nbytes);
extern RibbonStatus ribbon_build_exact_stored(const RibbonEnv *env,
											  const RibbonExactParams *params,
											  RibbonStore *store,
											  uint64_t nrecords,
											  size_t headroom, uint8_t **bytes,
											  size_t *nbytes);

/*
 * A filter or map opened for probing: what its header says, and pointers into
 * the bytes, which must stay where they are while it is in use.  Read the
 * members freely; only ribbon_open writes them.
 *
 * It is large, but only ribbon_filter_size of its bytes are used (some 600 for
 * a thousand keys).  Whoever keeps many may copy these alone.
 */
#define RIBBON_OPENED_WORDS 4096

struct RibbonPlane; /* format/plane.h */

typedef struct RibbonFilter
{
	/* see ribbon_contains, for which *code is only room, and ribbon_get */
	bool (*contains)(const struct RibbonPlane *opened, uint64_t hash,
					 uint64_t *code);
	bool (*get)(const struct RibbonPlane *opened, uint64_t hash,
				uint64_t *code);

	uint64_t nkeys;		  /* exact number of distinct keys */
	const uint8_t *bytes; /* NULL if it was opened in slices */
	uint64_t total_bytes; /* 64 bits: a header may call for any number */
	int key_class;

	/* of exact sets; zero in others */
	bool is_exact;
	bool is_inverted; /* the filter inside is of keys that are not members */
	bool has_as_of;
	int64_t as_of;
	uint64_t universe; /* it is right about so many keys; nkeys are members */

	uint32_t seed; /* of maps and exact sets: keys are hashed with it */

	/* of maps; zero in filters */
	bool has_values; /* it is a map; value_bits may be 0 all the same */
	bool has_null;
	uint8_t value_class;
	uint8_t value_bits;
	int64_t base;
	const uint8_t *dictionary; /* in memory, or NULL; */
	uint64_t dictionary_at;	   /* its first byte; 0 if there is none */
	uint64_t ndictionary;

	uint32_t head_bytes;				  /* in front of a dictionary */
	uint64_t opened[RIBBON_OPENED_WORDS]; /* how to probe it; private */
} RibbonFilter;

/* The bytes of it that are used, from its first one on. */
extern size_t ribbon_filter_size(const RibbonFilter *filter);

/*
 * The pieces of a filter's bytes that ribbon_open has looked at: with the same
 * ones, at the same address, and as many bytes in all, the same filter is
 * opened.  Sets pieces, in their order, and returns how many there are.
 */
#define RIBBON_MAX_PIECES 3

typedef struct RibbonPiece
{
	size_t at;
	size_t size;
} RibbonPiece;

extern unsigned ribbon_filter_pieces(const RibbonFilter *filter,
									 RibbonPiece pieces[RIBBON_MAX_PIECES]);

/*
 * Open a filter's, or map's, bytes for probing: decode and validate the header,
 * and set *filter.  Any bytes may be given.  After RIBBON_OK nbytes is exactly
 * what the header calls for, and no probe reads outside bytes[0..nbytes),
 * whatever the bytes behind the header are; these, and a dictionary, are not
 * read here.  Nothing is allocated, and there is nothing to close.  The time
 * grows with the number of layers and zones.
 *
 * Errors: RIBBON_TRUNCATED, RIBBON_BAD_VERSION, RIBBON_CORRUPT; then *filter is
 * not to be used.
 */
extern RibbonStatus ribbon_open(const uint8_t *bytes, size_t nbytes,
								RibbonFilter *filter);

/*
 * The same for nbytes bytes that are not all in memory.
 *
 * fetch(arg, at, length) returns a pointer to length bytes (1 ..
 * RIBBON_MAX_SLICE), those from byte at on, which must stay there until the
 * next call of fetch or the end of the call.  All slices are inside of the
 * filter, whatever its bytes are.  fetch may longjmp out, for there is nothing
 * to free.
 *
 * A filter opened so is good only for reading its members, ribbon_fpr,
 * ribbon_info, and ribbon_contains_sliced and ribbon_get_sliced, which call
 * fetch for a few slices, one after the other.
 */
#define RIBBON_MAX_SLICE 1800

typedef const uint8_t *(*RibbonFetch)(void *arg, uint64_t at, size_t length);

extern RibbonStatus ribbon_open_sliced(uint64_t nbytes, RibbonFetch fetch,
									   void *arg, RibbonFilter *filter);

/*
 * Is the key with this hash in the set, or map?  True for all members, and for
 * a non-member with probability ribbon_fpr(filter); false if the filter is
 * empty.
 */
static inline bool
ribbon_contains(const RibbonFilter *filter, uint64_t hash)
{
	uint64_t code;

	return filter->contains((const struct RibbonPlane *) filter->opened, hash,
							&code);
}

/*
 * The same, and set *code to that of the key; if it is not in the map, to any
 * code of value_bits.  In a filter all codes are 0.
 */
static inline bool
ribbon_get(const RibbonFilter *filter, uint64_t hash, uint64_t *code)
{
	*code = 0;
	return filter->get((const struct RibbonPlane *) filter->opened, hash, code);
}

/*
 * The same for n hashes: sets answers[i], and codes[i] where that is true, for
 * hashes[i], i = 0 .. n - 1.
 */
extern void ribbon_contains_batch(const RibbonFilter *filter,
								  const uint64_t *hashes, size_t n,
								  bool *answers);
extern void ribbon_get_batch(const RibbonFilter *filter, const uint64_t *hashes,
							 size_t n, bool *answers, uint64_t *codes);

/* The same for a filter that ribbon_open_sliced has opened. */
extern bool ribbon_contains_sliced(const RibbonFilter *filter, uint64_t hash,
								   RibbonFetch fetch, void *arg);
extern bool ribbon_get_sliced(const RibbonFilter *filter, uint64_t hash,
							  RibbonFetch fetch, void *arg, uint64_t *code);

/*
 * Check all bytes of a filter that ribbon_open has opened, but a dictionary's,
 * as far as that can be done without the keys.  It returns RIBBON_OK for each
 * filter that ribbon_build or ribbon_shrink has made, undamaged.  It cannot see
 * that the value of a slot of a BuRR filter has been changed.  env is used for
 * interrupts only.
 *
 * Errors: RIBBON_BAD_LAYERS, RIBBON_BAD_THRESHOLDS, RIBBON_BAD_PADDING,
 * RIBBON_BAD_RATE, RIBBON_BAD_CODES, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_check(const RibbonEnv *env,
								 const RibbonFilter *filter);

/*
 * The false-positive rate of this filter, from its header: the probability that
 * it says yes to a random non-member.  0 if it is empty, 1 without check bits.
 * Of an exact set: to a random key outside its universe.
 */
extern double ribbon_fpr(const RibbonFilter *filter);

/* What else the header tells, of all ribbon systems. */
typedef struct RibbonInfo
{
	RibbonKind kind;
	int width;			  /* of the bumped layers */
	int nlayers;		  /* with the last one; 0 if the filter is empty */
	uint64_t nslots;	  /* of all planes, if it is a map with several */
	uint64_t empty_slots; /* those that no key fills */
	uint64_t bumped_keys; /* from the first layer to the others */
	RibbonCoding coding;  /* of a map's values */
	uint64_t nvalues; /* distinct ones but NULL; 0 if their coding is plain */
	uint64_t table_bytes; /* of codes that are not plain */
	uint64_t code_bits;	  /* of the codes of all keys, and the filter in front
						   * of these */
} RibbonInfo;

extern void ribbon_info(const RibbonFilter *filter, RibbonInfo *info);

/*
 * Make a smaller filter of the same keys with the higher FPR fpr, without the
 * keys, by dropping columns and part of a column [RF 5.1].  headroom, *out and
 * *nbytes are as headroom, *bytes and *nbytes of ribbon_build.  If fpr is
 * within 0.4 % of the filter's own, or the filter is empty, the result is a
 * copy.
 *
 * Errors: RIBBON_BAD_FPR, RIBBON_NOT_LARGER (fpr is below the filter's own),
 * RIBBON_BAD_PARAMS (it is a map), RIBBON_IS_EXACT, RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_shrink(const RibbonEnv *env,
								  const RibbonFilter *filter, double fpr,
								  size_t headroom, uint8_t **out,
								  size_t *nbytes);

/*
 * The hash of a key: XXH3-64, seed 0, of its len bytes.  (The core takes any
 * 64-bit hashes that are as good as random; the extension uses this one.)
 */
extern uint64_t ribbon_hash_bytes(const void *key, size_t len);

/*
 * The same of the eight bytes that word has in memory, in the machine's order.
 */
extern uint64_t ribbon_hash_word(uint64_t word);

/*
 * The second hash of a key: XXH64, seed 0, of the same bytes.  It tells keys
 * apart whose hashes are the same by chance.
 */
extern uint64_t ribbon_hash_second_bytes(const void *key, size_t len);

/*
 * The hash of a key in a map that has this seed, made from both
 * (ribbon_hash_with_seed in base/hash.h); with seed 0 it is the first.
 */
extern uint64_t ribbon_hash_bytes_seeded(const void *key, size_t len,
										 uint32_t seed);

/*
 * The shard of a hash, 0 .. nshards - 1, to divide a set among nshards > 0
 * filters.  It does not depend on where a key is in a filter.  Its values will
 * never change.
 */
extern uint32_t ribbon_hash_to_shard(uint64_t hash, uint32_t nshards);

#pragma GCC visibility pop

#endif /* RIBBON_H */
