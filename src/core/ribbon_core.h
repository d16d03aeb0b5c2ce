/*
 * ribbon_core.h - the public interface of the ribbon core: filters and maps
 *
 * A ribbon filter answers "is this key in the set?" from a few bits per key.
 * For a member it says yes; for a non-member it says yes with a probability
 * that was chosen when the filter was built, its false-positive rate (FPR).
 *
 * A map returns the value that each of its keys was built with [BuRR 1, 2].  It
 * rejects a key that is not in it, except with probability FPR.  A filter is a
 * map whose values have no bits.  Both have c check bits (perhaps a fraction)
 * and v value bits per key, and neither holds the keys.  Here, "filter" stands
 * for both.
 *
 * This library builds filters from 64-bit hashes of keys, each filter as one
 * sequence of bytes (docs/format.md), and probes them in place.  Any hashes
 * will do that are as good as random, as those of keys/ are.
 *
 *	 hashes, or records --ribbon_build--> bytes --ribbon_open--> RibbonFilter
 *	                                        |                        |
 *	                                  ribbon_shrink         ribbon_contains
 *	                                                        ribbon_get
 *
 * Whoever builds, reads set/set.h, too, and whoever hashes keys, keys/hashes.h
 * with keys/classes.h and keys/canonical.h.  Maps of PostgreSQL's values are
 * made with values/values.h, and several threads are run by base/threads.h.
 *
 * The shortest use (test_filter.c has it), with set/set.h for the set:
 *
 *----------
 *	 const RibbonEnv *env = &ribbon_malloc_env;
 *	 RibbonSet set = ribbon_set_of_array(env, RIBBON_HASHES, hashes, n);
 *	 RibbonParams params = {.kind = RIBBON_BURR, .fpr = 0.01, .key_class = 1};
 *	 RibbonFilter filter;
 *
 *	 uint8_t *bytes = NULL;
 *	 size_t nbytes;
 *
 *	 if (ribbon_build(env, &params, &set, 0, &bytes, &nbytes) == RIBBON_OK &&
 *		 ribbon_open(bytes, nbytes, &filter) == RIBBON_OK)
 *		 found = ribbon_contains(&filter, hash);
 *	 env->free(env->arg, bytes);
 *----------
 *
 * A record is two words: the key's hash, then its value word, which is any 64
 * bits.  What is stored of a value word is its code of v bits, enough to tell
 * the values of this map from one another.  The caller decides what codes mean,
 * and may store a dictionary in front.
 *
 * The core knows nothing of PostgreSQL.  It gets memory from the caller's
 * RibbonEnv, returns failures as a RibbonStatus, and prints nothing.  The only
 * global that it writes is the kernel in use, at its first use; and if asked
 * for it, the number of cores (ribbon_threads_cores).  Probing allocates
 * nothing.  Threads may call all functions at the same time, on different data.
 * Many threads may probe one opened filter.
 *
 * The same set and RibbonParams give the same bytes.  Neither the order of the
 * hashes nor duplicates, machine, instruction set or number of threads matter.
 *
 * [RF] is arXiv 2103.02515, [BuRR] arXiv 2109.01892, with section numbers; see
 * docs/algorithm.md, and docs/developer/words.md for the words.
 */
#ifndef RIBBON_CORE_H
#define RIBBON_CORE_H

#include "ribbon_inside.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What functions return.  Results may be read only after RIBBON_OK; after any
 * other status the caller has nothing new to free.
 */
typedef enum RibbonStatus
{
	RIBBON_OK = 0,
	RIBBON_OUT_OF_MEMORY, /* RibbonEnv.alloc returned NULL */
	RIBBON_INTERRUPTED,	  /* RibbonEnv.interrupted returned true */
	RIBBON_BAD_FPR,		  /* FPR outside of what RibbonParams allows */
	RIBBON_BAD_PARAMS,	  /* another member is not valid */
	RIBBON_NOT_LARGER,	  /* ribbon_shrink: FPR is below the filter's own */
	RIBBON_TRUNCATED,	  /* fewer bytes than the header calls for */
	RIBBON_BAD_VERSION,	  /* format version that this library cannot read */
	RIBBON_CORRUPT,	 /* a header that no builder writes, or too many bytes */
	RIBBON_CONFLICT, /* one hash with two values */
	RIBBON_BAD_FILE, /* the set's file (set/file.h) is not as it was written */
	RIBBON_IS_EXACT, /* ribbon_shrink: exact sets cannot shrink */
	/* only from ribbon_check: */
	RIBBON_BAD_LAYERS,	   /* a layer has as many slots as keys, or more */
	RIBBON_BAD_THRESHOLDS, /* thresholds contradict the number of bumped keys */
	RIBBON_BAD_PADDING,	   /* unused bits are set */
	RIBBON_BAD_RATE,	   /* the slots have another FPR than the header says */
	RIBBON_BAD_CODES,	   /* a map's table of codes is not in order */
	/* of what a map stores for its caller (values/): */
	RIBBON_BAD_VALUE_CLASS, /* an unknown class */
	RIBBON_BAD_VALUES,		/* a class and a dictionary that do not agree */
	RIBBON_BAD_DICTIONARY,	/* its head cannot be read */
	RIBBON_BAD_COUNT,		/* a dictionary of more values than codes */
	RIBBON_BAD_ORDER,		/* its texts are not sorted, or overlap */
	RIBBON_BAD_TEXT,		/* not in UTF-8 */
	RIBBON_BAD_END,			/* bytes behind the last text */
	/* of the keys of an exact set that is to be built: */
	RIBBON_NO_SEED, /* some have one hash under each seed that was tried */
	/* of the values of a map that is to be built (values/): */
	RIBBON_TOO_MANY_TEXTS,	 /* beyond RIBBON_DICTIONARY_VALUES */
	RIBBON_TEXTS_TOO_LARGE,	 /* beyond RIBBON_TEXTS_BYTES */
	RIBBON_SAME_WORD,		 /* of two texts, or of a text and NULL */
	RIBBON_NUMBER_LIKE_NULL, /* there are NULLs, and a number with their word */
	RIBBON_RANGE_TOO_WIDE,	 /* it takes all 64 bits, and NULL has no code */
	RIBBON_NSTATUS
} RibbonStatus;

/*
 * An English text for a status, without capital and full stop.  Never NULL, and
 * not to be freed.
 */
extern const char *ribbon_status_text(RibbonStatus status);

/*
 * What the core needs of its caller.  alloc returns memory that is aligned for
 * any type, or NULL.  free accepts what alloc returned, and NULL.  interrupted
 * is called about once per millisecond of work or more often; when it has
 * returned true, the call cleans up and returns RIBBON_INTERRUPTED.  It may be
 * NULL: then nothing interrupts.  resize is realloc, of what alloc returned; it
 * may be NULL: then memory is copied, without a call of interrupted meanwhile.
 * All get the member arg.
 *
 * In the thread that called the core, each callback may longjmp out of it.  The
 * caller must then free all memory that alloc gave.  The core holds nothing
 * else: no lock, file or thread.  A task of run must not longjmp.
 */
typedef struct RibbonEnv RibbonEnv;

/* Part i of some work that the core has divided; see RibbonEnv.run. */
typedef RibbonStatus RibbonTask(const RibbonEnv *env, void *arg, unsigned i);

struct RibbonEnv
{
	void *(*alloc)(void *arg, size_t size);
	void (*free)(void *arg, void *ptr);
	void *(*resize)(void *arg, void *ptr, size_t size);
	bool (*interrupted)(void *arg);
	void *arg;

	/*
	 * Call task(env, task_arg, i) for each i from 0 to n - 1, in any order, in
	 * one thread or several, and return when all have returned.  Return
	 * RIBBON_OK if all tasks did, else the status of one that did not.  Tasks
	 * get an env that several threads may use at the same time, which need not
	 * be this one.  A task that returned RIBBON_INTERRUPTED may be called
	 * again.  nthreads is the number of tasks that can run at the same time: n
	 * is never more.  run may be NULL: then the core calls the tasks itself.
	 */
	RibbonStatus (*run)(void *arg, unsigned n, RibbonTask *task,
						void *task_arg);
	unsigned nthreads;

	/*
	 * Learn which share, 0 .. 1, of a layer, 0, 1, ..., is solved; or, as layer
	 * RIBBON_SORTING_SET, of a set is sorted (set/set.h).  Called from time to
	 * time.  May be NULL.
	 */
	void (*progress)(void *arg, int layer, double share);
};

#define RIBBON_SORTING_SET (-1)

/* malloc and free, without interrupts: for tests and programs. */
extern const RibbonEnv ribbon_malloc_env;

#define RIBBON_FORMAT_VERSION 1
#define RIBBON_MIN_FPR		  (1.0 / 4294967296.0) /* 2^-32 */
#define RIBBON_MAX_FPR		  0.5
#define RIBBON_DEFAULT_WIDTH  0 /* 64, or 128 where slots hold few bits */
#define RIBBON_MAX_VALUE_BITS 64
#define RIBBON_MAX_KEYS		  (UINT64_C(1) << 48)

typedef enum RibbonKind
{
	RIBBON_BURR = 0,		/* bumped ribbon [BuRR 1.1, 7]: smallest */
	RIBBON_HOMOGENEOUS = 1, /* homogeneous ribbon [RF 4]: fastest to probe */
	RIBBON_AUTO = 2,		/* BuRR, which always takes fewer bytes; to build */
	RIBBON_EXACT = 3		/* exact set: see below */
} RibbonKind;

/* Is this a rate that a filter may have?  Not a number is none. */
static inline bool
ribbon_is_fpr(double fpr)
{
	return fpr >= RIBBON_MIN_FPR && fpr <= RIBBON_MAX_FPR;
}

/*
 * Returns the code of a value word.  Several threads may call it at a time.
 */
typedef uint64_t (*RibbonCode)(const void *arg, uint64_t word);

/*
 * How a map stores codes: plain, all in the same number of bits; or by a
 * Huffman code, in fewer bits those that more keys have.  That is for 2 to
 * RIBBON_MAX_CODES different values.  With fewer or more, and in the rare cases
 * in which an opened map has no room for the planes of such codes, or too many
 * keys pass the filter in front of them, codes are plain, whatever was asked.
 */
#define RIBBON_MAX_CODES 262144

typedef enum RibbonCoding
{
	RIBBON_CODING_PLAIN = 0,
	RIBBON_CODING_ENTROPY = 1,
	RIBBON_CODING_AUTO = 2 /* the one that takes fewer bytes; to build only */
} RibbonCoding;

/* The values of a map.  Fill every member. */
typedef struct RibbonValues
{
	/* these are only stored: */
	unsigned value_class; /* 0 .. 63 */
	bool has_null;
	uint32_t seed;
	int64_t base; /* without a dictionary: the number of code 0 */

	unsigned bits; /* of a code: 0 .. RIBBON_MAX_VALUE_BITS */
	RibbonCoding coding;
	RibbonCode code; /* returns so many bits; NULL: the code is word - base */
	const void *code_arg;

	/* stored in front; without one, NULL and 0 */
	const uint8_t *dictionary;
	size_t ndictionary;
} RibbonValues;

/* What to build.  Fill every member. */
typedef struct RibbonParams
{
	RibbonKind kind; /* with values: RIBBON_BURR */
	int width;		 /* ribbon width w: 32, 64, 128 or RIBBON_DEFAULT_WIDTH; a
					  * homogeneous filter takes 64 for 32 if fpr < 2^-20 */
	double fpr;		 /* RIBBON_MIN_FPR .. RIBBON_MAX_FPR; with values also 1,
					  * which means no check bits; of an exact set, for keys
					  * outside its universe, also 1: whatever is smallest */
	int key_class;	 /* what the caller hashes: a number that is only stored,
					  * one of those in keys/classes.h */
	const RibbonValues *values; /* NULL: a filter */

	/* of an exact set: */
	bool has_as_of;
	int64_t as_of; /* if has_as_of: one for which ribbon_civil_is_timestamp
					* holds (values/civil.h) */
} RibbonParams;

/*
 * Are the params valid?  Returns RIBBON_OK, RIBBON_BAD_FPR (also for NaN), or
 * RIBBON_BAD_PARAMS for all other members.
 */
extern RibbonStatus ribbon_params_check(const RibbonParams *params);

#define RIBBON_RECORD_WORDS 2 /* a hash and a value word */

/* What an array of words consists of. */
typedef enum RibbonElementKind
{
	RIBBON_HASHES,
	RIBBON_MAP_RECORDS,
	RIBBON_EXACT_RECORDS /* of an exact set: see below */
} RibbonElementKind;

/* What a set consists of that is to be built so. */
static inline RibbonElementKind
ribbon_params_elements(const RibbonParams *params)
{
	return params->kind == RIBBON_EXACT ? RIBBON_EXACT_RECORDS :
		params->values != NULL			? RIBBON_MAP_RECORDS :
										  RIBBON_HASHES;
}

/*
 * The bytes that the check bits and value bits of nkeys keys take.  No filter
 * with plain codes that is built with these params is smaller.
 */
extern double ribbon_least_bytes(const RibbonParams *params, uint64_t nkeys);

/*
 * The bytes that a filter of nkeys keys, 0 .. 2^48, is expected to take.
 * params must be valid, and neither of a map nor of an exact set.  Filters of
 * random sets differ from this by up to 0.5 % and 12 bytes, homogeneous ones by
 * up to 4 % and 12 bytes (test_size).  Sets that are chosen to be hard may take
 * more.
 */
extern uint64_t ribbon_expected_bytes(const RibbonParams *params,
									  uint64_t nkeys);

/*
 * A set of hashes or records: in an array, or in blocks of a file if they do
 * not fit into memory (set/set.h).
 */
typedef struct RibbonSet RibbonSet;

/*
 * Build a filter of a set of hashes; or of a set of records a map, if
 * params->values is not NULL, or an exact set, if params->kind says so.  The
 * set may be empty.  It is sealed, which drops duplicates, and then only read:
 * it stays the caller's.
 *
 * On RIBBON_OK *bytes is a buffer from env->alloc, which the caller frees.  It
 * begins with headroom bytes, which are not set: a server puts a length there.
 * The filter's *nbytes bytes follow.  The buffer may be larger than that.
 *
 * A set in a file is read in ranges of a window's keys, mostly from the highest
 * hashes down, several times if need be.  Those of bumped keys are in its file,
 * too.  Besides the result, a filter then takes 24 MB of memory at most, and 15
 * MB for each thread but the first, however many keys there are.
 * For a map these are 30 MB and 20 MB, and the size of its second plane
 * (docs/format.md) is added; if its codes are not plain, instead of that the
 * size of the whole map and 20 MB.
 *
 * Errors: those of ribbon_params_check, RIBBON_BAD_PARAMS if the set is not of
 * what is to be built from, RIBBON_CONFLICT (set->conflict of set/set.h has the
 * two records), RIBBON_NO_SEED (keys of an exact set have one hash without a
 * seed and under each of eight, as happens by chance to one set of 2^32 keys in
 * 2^12; or a key is both a member and not, and memory has no room for all that
 * have its hash), RIBBON_OUT_OF_MEMORY (also for more than 2^48 keys),
 * RIBBON_INTERRUPTED, and those of the file.
 */
extern RibbonStatus ribbon_build(const RibbonEnv *env,
								 const RibbonParams *params, RibbonSet *set,
								 size_t headroom, uint8_t **bytes,
								 size_t *nbytes);

/*
 * An exact set is a filter that is right about all keys of a known universe: it
 * says yes to the members and no to the other keys of the universe.  To any
 * other key it says yes with probability ribbon_fpr: about params->fpr, or if
 * that is 1, whatever comes with the plan that takes the fewest bytes
 * (compose/exact_form.h).
 *
 * It is built from one record per key of the universe: the key's hash, and a
 * word made by ribbon_exact_word.  That is the second hash of the key, but its
 * lowest bit says whether the key is a member.  If two keys have the same hash,
 * the set gets a seed (RibbonFilter.seed).  It must then be asked for hashes
 * that are made of both hashes and the seed (ribbon_hash_with_seed).
 */
#define RIBBON_MEMBER UINT64_C(1)

static inline uint64_t
ribbon_exact_word(uint64_t second_hash, bool member)
{
	return (second_hash & ~RIBBON_MEMBER) | member;
}

/*
 * Get bytes that are not in memory.  Returns a pointer to a slice: the length
 * bytes, 1 .. RIBBON_MAX_SLICE, from byte at on.  It must be valid until fetch
 * is called again, or the function that called it returns.  Slices never reach
 * outside of the filter, whatever its bytes are.  fetch may longjmp, for there
 * is nothing to free.
 */
#define RIBBON_MAX_SLICE 1800

typedef const uint8_t *(*RibbonFetch)(void *arg, uint64_t at, size_t length);

/*
 * A filter or map opened for probing: what its header says, and pointers into
 * its bytes, which must stay where they are while it is in use.  Members may be
 * read; but for dictionary, ribbon_open alone writes them.
 *
 * The struct has some 36 kB, but only its first ribbon_filter_size bytes are
 * used, some 600 for a thousand keys.  To keep many, copy only these.
 */
typedef struct RibbonFilter
{
	uint64_t nkeys;		  /* exact number of distinct hashes */
	const uint8_t *bytes; /* NULL if it was opened in slices; then these: */
	RibbonFetch fetch;
	void *fetch_arg;
	uint64_t total_bytes; /* 64 bits: a header may call for any number */
	int key_class;

	/* of exact sets; zero in others */
	bool is_exact;
	bool is_inverted; /* the filter inside holds the non-members */
	bool has_rate;	  /* built with one: a column's bits are masked */
	bool has_as_of;
	int64_t as_of;	   /* a timestamptz of PostgreSQL */
	uint64_t universe; /* number of its keys, of which nkeys are members */

	uint32_t seed; /* of maps and exact sets: keys are hashed with it */

	/* of maps; zero in filters */
	bool has_values; /* is it a map?  Even then value_bits may be 0 */
	bool has_null;
	uint8_t value_class;
	uint8_t value_bits;
	int64_t base;
	const uint8_t *dictionary; /* NULL if none, or opened in slices; then a
								* caller that has read it may set it */
	uint64_t dictionary_at;	   /* its place in the bytes; 0 if none */
	uint64_t ndictionary;

	RibbonInside inside; /* private: how to probe it */
} RibbonFilter;

/* Private: its first plane. */
static inline const struct RibbonOpened *
ribbon_opened(const RibbonFilter *filter)
{
	return (const struct RibbonOpened *) filter->inside.opened;
}

/* The number of bytes of *filter that are used, from its first one on. */
extern size_t ribbon_filter_size(const RibbonFilter *filter);

/*
 * The pieces of a filter's bytes that ribbon_open has read.  Sets pieces, in
 * the order of the bytes, and returns their number.  If bytes at the same
 * address have the same pieces and the same total length, opening them gives
 * the same RibbonFilter.
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
 * Open the bytes of a filter or map for probing: decode and validate the
 * header, and set *filter.  Any bytes may be given.  RIBBON_OK says that nbytes
 * is exactly what the header calls for, and that no probe reads outside
 * bytes[0..nbytes).  The bytes behind the header, and a dictionary, are not
 * read here, and may be anything.  Nothing is allocated, and there is nothing
 * to close.  The time grows with the number of layers and zones.
 *
 * Errors: RIBBON_TRUNCATED, RIBBON_BAD_VERSION, RIBBON_CORRUPT.  After an error
 * *filter must not be used.
 */
extern RibbonStatus ribbon_open(const uint8_t *bytes, size_t nbytes,
								RibbonFilter *filter);

/*
 * The same for nbytes bytes that are not all in memory.  Such a filter keeps
 * fetch and arg, and is for all functions but ribbon_check, ribbon_shrink and
 * ribbon_filter_pieces.  Each probe of it fetches a few slices, one after the
 * other.
 */
extern RibbonStatus ribbon_open_sliced(uint64_t nbytes, RibbonFetch fetch,
									   void *arg, RibbonFilter *filter);

/*
 * Is the key with this hash in the set or map?  True for each member, and for a
 * non-member with probability ribbon_fpr(filter); false if the filter is empty.
 */
static inline bool
ribbon_contains(const RibbonFilter *filter, uint64_t hash)
{
	uint64_t code;

	return filter->inside.contains(ribbon_opened(filter), hash, &code);
}

/*
 * The same, and set *code to the code of the key's value.  If the key is not in
 * the map, that is any number of value_bits bits.  In a filter it is 0.
 */
static inline bool
ribbon_get(const RibbonFilter *filter, uint64_t hash, uint64_t *code)
{
	*code = 0;
	return filter->inside.get(ribbon_opened(filter), hash, code);
}

/*
 * The same for n hashes: set answers[i] for hashes[i], i = 0 .. n - 1; and
 * codes[i], if answers[i] is true.
 */
extern void ribbon_contains_batch(const RibbonFilter *filter,
								  const uint64_t *hashes, size_t n,
								  bool *answers);
extern void ribbon_get_batch(const RibbonFilter *filter, const uint64_t *hashes,
							 size_t n, bool *answers, uint64_t *codes);

/*
 * Check all bytes of a filter that ribbon_open has opened for damage, as far as
 * that can be seen without the keys.  A dictionary is the caller's to check
 * (values/dictionary.h).  Undamaged bytes of ribbon_build and ribbon_shrink
 * pass.  A changed slot of a BuRR filter cannot be seen.  env is used for
 * interrupts only.
 *
 * Errors: RIBBON_BAD_LAYERS, RIBBON_BAD_THRESHOLDS, RIBBON_BAD_PADDING,
 * RIBBON_BAD_RATE, RIBBON_BAD_CODES, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_check(const RibbonEnv *env,
								 const RibbonFilter *filter);

/*
 * The false-positive rate of this filter, computed from its header: the
 * probability that it says yes to a random non-member, or, if it is an exact
 * set, to a random key outside its universe.  0 if it is empty, 1 if it has no
 * check bits.
 */
extern double ribbon_fpr(const RibbonFilter *filter);

/* What else the header says, over all ribbon systems. */
typedef struct RibbonInfo
{
	RibbonKind kind;
	int width;			  /* of the bumped layers */
	int nlayers;		  /* all, with the last one; 0 if the filter is empty */
	uint64_t nslots;	  /* of all planes */
	uint64_t empty_slots; /* slots that no key fills */
	uint64_t bumped_keys; /* keys that layer 0 does not hold */
	RibbonCoding coding;  /* of a map's values */
	uint64_t nvalues;	  /* distinct values but NULL; 0 if coding is plain */
	uint64_t table_bytes; /* of the table of codes; 0 if coding is plain */
	uint64_t code_bits;	  /* of the codes of all keys, with the filter in
						   * front of them */
} RibbonInfo;

extern void ribbon_info(const RibbonFilter *filter, RibbonInfo *info);

/*
 * Make a smaller filter of the same keys, with the higher FPR fpr, by dropping
 * columns and part of a column [RF 5.1].  The keys are not needed.  headroom,
 * *out and *nbytes are as headroom, *bytes and *nbytes of ribbon_build.  The
 * result is a copy if fpr is within 0.4 % of the filter's own, or the filter is
 * empty.  A BuRR filter stores its first rate beside the new one, in up to 3
 * bytes, so one of a few keys can become larger.
 *
 * Errors: RIBBON_BAD_FPR, RIBBON_NOT_LARGER (fpr is below the filter's own),
 * RIBBON_BAD_PARAMS (it is a map), RIBBON_IS_EXACT, RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_shrink(const RibbonEnv *env,
								  const RibbonFilter *filter, double fpr,
								  size_t headroom, uint8_t **out,
								  size_t *nbytes);

#endif /* RIBBON_CORE_H */
