/*
 * ribbon.h - the public interface of the ribbon filter core
 *
 * A ribbon filter answers "is this key in the set?" from a few bits per key.
 * For a member it says yes; for a non-member it says yes with a probability
 * that was chosen when the filter was built, its false-positive rate (FPR).
 * This library builds filters from 64-bit hashes of keys, each filter as one
 * sequence of bytes (docs/format.md), and probes them in place.
 *
 *	 hashes --ribbon_build--> bytes --ribbon_open--> RibbonFilter
 *	                            |                        |
 *	                      ribbon_shrink         ribbon_contains
 *
 * The core knows nothing of PostgreSQL.  Memory comes from the caller's
 * RibbonEnv, failures are returned as a RibbonStatus, nothing is printed, and
 * the only global that is written is the choice of a kernel, at the first use.
 * Probing allocates nothing.  Threads may call all functions at the same time,
 * on different data; an opened filter may be probed by many threads.
 *
 * Two filters built from the same set of hashes with the same RibbonParams are
 * the same bytes, whatever the order of the hashes, the duplicates among them,
 * the machine, its instruction set and the number of threads.
 *
 * [RF] is arXiv 2103.02515, [BuRR] arXiv 2109.01892, with section numbers; see
 * docs/algorithm.md, and docs/glossary.md for the words.
 */
#ifndef RIBBON_H
#define RIBBON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the core's callers use is visible outside of a library that is made of
 * it, and all else hidden.
 */
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
	RIBBON_CONFLICT,	  /* map: equal hashes have different values */
	RIBBON_BAD_STORE, /* a store gave fewer hashes than it counted, or more */
	/* only from ribbon_check: */
	RIBBON_BAD_LAYERS,	   /* a layer has as many slots as keys, or more */
	RIBBON_BAD_THRESHOLDS, /* they contradict the number of bumped keys */
	RIBBON_BAD_PADDING,	   /* unused bits are set */
	RIBBON_BAD_RATE,	   /* the slots have another FPR than the header says */
	RIBBON_NSTATUS
} RibbonStatus;

/*
 * An English text for a status, without capital and full stop; never NULL.  It
 * is constant: not to be freed.
 */
extern const char *ribbon_status_text(RibbonStatus status);

/*
 * A store keeps a set of hashes outside of memory, in files for example.  The
 * caller implements it, for sets that do not fit into memory.  The core calls
 * add any number of times, then seal once, then read any number of times.  Who
 * opened a store closes it: the caller those that it gives to
 * ribbon_build_stored, the core those that it opens with RibbonEnv.open_store.
 * If a function returns a status other than RIBBON_OK, the build ends with it.
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
	 * Open a store for about nexpected hashes, and set *store.  It may be NULL:
	 * then hashes of bumped keys stay in memory.
	 */
	RibbonStatus (*open_store)(void *arg, uint64_t nexpected,
							   RibbonStore **store);

	/* The same for records of maps (ribbon_map.h). */
	RibbonStatus (*open_store_of_records)(void *arg, uint64_t nexpected,
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
#define RIBBON_KEY_CLASSES	  32
#define RIBBON_DEFAULT_WIDTH  0	 /* 64, or 128 where slots hold few bits */
#define RIBBON_MAX_LAYERS	  7	 /* bumped layers before the last one */
#define RIBBON_MAX_ZONES	  16 /* in the last layer, narrow and wide each */
#define RIBBON_MAX_SYSTEMS	  (RIBBON_MAX_LAYERS + 2 * RIBBON_MAX_ZONES)
#define RIBBON_MAX_HEADER	  640 /* bytes of a header, at most */

typedef enum RibbonKind
{
	RIBBON_BURR = 0,		/* bumped ribbon [BuRR 1.1, 7]: smallest */
	RIBBON_HOMOGENEOUS = 1, /* homogeneous ribbon [RF 4]: fastest to probe */
	RIBBON_AUTO = 2			/* the kind that takes fewer bytes; to build only */
} RibbonKind;

/* What to build.  Fill every member. */
typedef struct RibbonParams
{
	RibbonKind kind;
	int width;	   /* ribbon width w: 32, 64, 128 or RIBBON_DEFAULT_WIDTH; if
					* homogeneous, 32 becomes 64 where fpr is below 2^-20 */
	double fpr;	   /* RIBBON_MIN_FPR .. RIBBON_MAX_FPR */
	int key_class; /* stored as it is; ribbon_key_class_is_valid must be true */
} RibbonParams;

/*
 * A key class is a number, which the core only stores, that says what the
 * caller hashes.  Its low five bits are the class proper.  If the keys of that
 * class have parts (arrays, ranges, multiranges, rows), up to three groups of
 * five bits follow: the class of the parts, that of the parts' parts, and that
 * of theirs.  For rows, which have their parts side by side, they are the
 * classes of the first three fields.  0 stands for no class, or one that is not
 * known.  docs/format.md, sections 1 and 6, has the classes.
 */
#define RIBBON_KEY_CLASS_BITS  5
#define RIBBON_KEY_PARTS_BITS  (3 * RIBBON_KEY_CLASS_BITS)
#define RIBBON_FIRST_KEY_PARTS 23 /* the first and the last of the classes */
#define RIBBON_LAST_KEY_PARTS  26 /* whose keys have parts */
#define RIBBON_SIDE_BY_SIDE	   26 /* the class of rows */

/* The class proper, and the up to three classes of its parts (15 bits). */
static inline int
ribbon_key_class_of(int key_class)
{
	return key_class & (RIBBON_KEY_CLASSES - 1);
}

static inline unsigned
ribbon_key_parts_of(int key_class)
{
	return (unsigned) key_class >> RIBBON_KEY_CLASS_BITS;
}

static inline bool
ribbon_key_class_has_parts(int key_class)
{
	int of = ribbon_key_class_of(key_class);

	return of >= RIBBON_FIRST_KEY_PARTS && of <= RIBBON_LAST_KEY_PARTS;
}

/*
 * Is it a number that can be a key class: not negative, at most 20 bits, and
 * with classes of parts only behind classes that have parts?
 */
extern bool ribbon_key_class_is_valid(int key_class);

/*
 * Check kind, width, FPR and key class: RIBBON_OK, RIBBON_BAD_PARAMS, or
 * RIBBON_BAD_FPR (for NaN too).
 */
extern RibbonStatus ribbon_params_check(const RibbonParams *params);

/*
 * Sort hashes[0..*nhashes) and drop duplicates; *nhashes becomes the number
 * that is left.  It allocates another *nhashes hashes meanwhile, unless they
 * are sorted and distinct already.  ribbon_build does this itself if it has not
 * been done.  Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED; after these the
 * array is of no use.
 */
extern RibbonStatus ribbon_distinct(const RibbonEnv *env, uint64_t *hashes,
									size_t *nhashes);

/*
 * The bytes of the result bits of nkeys keys: no filter built with these params
 * takes less.
 */
extern double ribbon_least_bytes(const RibbonParams *params, uint64_t nkeys);

/*
 * The bytes that a filter of nkeys keys, 0 .. 2^48, can be expected to take.
 * params must be valid.  Filters of random sets differ from it by up to 0.5 %
 * and 12 bytes, homogeneous ones by up to 4 % and 12 bytes (test_size).  Sets
 * that were chosen to be hard may take more.
 */
extern uint64_t ribbon_expected_bytes(const RibbonParams *params,
									  uint64_t nkeys);

/*
 * Build a filter of the set of 64-bit hashes[0..nhashes).
 *
 * The array is the caller's.  First it is sorted, with the distinct hashes in
 * front (ribbon_distinct); after that it is only read.  Equal hashes count
 * once.  nhashes may be 0.
 *
 * On RIBBON_OK *bytes is a buffer from env->alloc, which the caller frees:
 * first headroom bytes, which are not set (a server puts a length there), then
 * the filter's *nbytes bytes.  The buffer may be larger than that.
 *
 * Errors: those of ribbon_params_check, RIBBON_OUT_OF_MEMORY (also for more
 * than 2^48 hashes), RIBBON_INTERRUPTED, and those of stores that env opens.
 */
extern RibbonStatus ribbon_build(const RibbonEnv *env,
								 const RibbonParams *params, uint64_t *hashes,
								 size_t nhashes, size_t headroom,
								 uint8_t **bytes, size_t *nbytes);

/*
 * The same for the nhashes hashes of a sealed store, which stays the caller's.
 * Besides the result it takes some 24 MB of memory, and 15 MB for each further
 * thread, however many hashes there are.  The store is read by ranges of some
 * half a million hashes, mostly from the highest hashes down, up to several
 * times.  env->open_store must be set.  Errors: those of ribbon_build and of
 * the store.
 */
extern RibbonStatus ribbon_build_stored(const RibbonEnv *env,
										const RibbonParams *params,
										RibbonStore *store, uint64_t nhashes,
										size_t headroom, uint8_t **bytes,
										size_t *nbytes);

/*
 * A linear system within a filter: nslots slots of a result row each, stored in
 * interleaved column-major layout.  A filter has one system per bumped layer
 * and a few (zones) in its last layer; see docs/format.md.
 */
typedef struct RibbonSystem
{
	/* what every probe looks at comes first, to share a cache line */
	uint64_t range;			   /* nstarts, plus what smash adds at both ends */
	uint64_t smash;			   /* positions added at each end */
	uint64_t whole;			   /* a probe that starts below it finds both blocks
								* full, and may read eight columns at once */
	const uint8_t *thresholds; /* of a bumped layer, or NULL */
	const uint8_t *slots;	   /* first byte of the ICML blocks */
	uint64_t wide_block;	   /* first ICML block of r + 1 columns */
	uint64_t last_narrow;	   /* greatest hash that checks r bits */
	uint64_t addend;		   /* a zone's hashes: what its seed adds to them */
	uint8_t result_bits;	   /* r: columns of the narrow blocks, 0 .. 56 */
	uint8_t groups;			   /* of eight columns, in the widest blocks */
	uint8_t width;			   /* w: slots per ICML block, 32, 64 or 128 */
	uint8_t row_bits;		   /* w' = min(w, m): bits of a coefficient row */
	uint8_t seed;			   /* last layer: which hash functions solved it */
	uint16_t wide;			   /* of 2048 keys, how many have one bit more */
	uint64_t nslots;		   /* m */
	uint64_t nstarts;		   /* distinct starting positions, m - w' + 1 */
	uint8_t check_bits;		   /* columns of the fingerprint in front of */
	uint8_t value_bits;		   /* so many of a map's value; see system.h */
	uint8_t unused[6];		   /* 96 bytes: an index is multiplied at once */
} RibbonSystem;

/* The buckets of a layer, and their thresholds (format/buckets.h). */
typedef struct RibbonBuckets
{
	unsigned log2_size;	   /* b = 1 << log2_size starting positions */
	unsigned threshold[5]; /* by code: positions below it are bumped; the
							* first is 0, the last b (of four, the fourth) */
	bool grouped;		   /* one bit per bucket, and a byte per group? */
} RibbonBuckets;

struct RibbonBatch; /* probe/probes.h */

typedef struct RibbonFilter RibbonFilter;

/* As ribbon_map_get, of the value bits that one plane of a map has. */
typedef bool RibbonGet(const RibbonFilter *plane, uint64_t hash,
					   uint64_t *code);

/*
 * A filter opened for probing: the decoded header and pointers into the bytes,
 * which must stay where they are while the RibbonFilter is in use.  Read the
 * members freely; only ribbon_open writes them.
 */
struct RibbonFilter
{
	uint64_t nkeys; /* exact number of distinct hashes */
	RibbonKind kind;
	int version;
	int width; /* w of the bumped layers */
	int key_class;
	unsigned result_bits; /* r = floor(log2(1/FPR)) for BuRR; 0: unchecked */
	unsigned value_bits;  /* of a map's plane, behind these; else 0 */
	unsigned wide;		  /* of 2048 keys, how many check r + 1 bits */
	unsigned split;		  /* of 2048 keys, how many are in wide zones */
	bool salted;		  /* hashes are remixed with the salt first */
	uint64_t salt;
	unsigned dependence;   /* homogeneous: -1024 log2 P(more than chance) */
	unsigned scheme;	   /* which bucket size and thresholds, */
	RibbonBuckets buckets; /* namely these */
	const uint8_t *bytes;  /* the first byte, of the header */
	size_t header_bytes;
	uint64_t total_bytes; /* 64 bits, for a header may ask for anything */
	/* how to probe it, for the kernel in use when it was opened */
	unsigned bucket_mask; /* positions in a bucket, less one */
	/* system (base + share of 2048 * step) / 2^32 is a hash's zone; from
	 * first_wide_zone on in [1] */
	uint64_t first_wide_zone;
	uint64_t zone_step[2];
	uint64_t zone_base[2];
	union
	{
		struct /* of a filter */
		{
			bool (*contains_bumped)(const RibbonFilter *filter, uint64_t hash);
			bool (*last_layer)(const RibbonFilter *filter, uint64_t hash);
			bool (*contains_first)(const RibbonFilter *filter, uint64_t hash);
			bool (*contains)(const RibbonFilter *filter, uint64_t hash);
		};
		struct /* of a map's plane */
		{
			RibbonGet *get_bumped;
			RibbonGet *get_last;
			RibbonGet *get_first;
			RibbonGet *get;
		};
	};
	void (*batch)(const RibbonFilter *filter, const RibbonSystem *system,
				  struct RibbonBatch *batch);
	/* the same for batches mostly of members; NULL: single probes */
	void (*batch_members)(const RibbonFilter *filter,
						  const RibbonSystem *system,
						  struct RibbonBatch *batch);
	size_t least_batch; /* fewer keys are probed one by one */
	int nlayers;		/* bumped layers, 0 .. RIBBON_MAX_LAYERS */
	unsigned nzones[2]; /* narrow, wide zones of the last layer */
	unsigned rotation;	/* of last-layer hashes: 0 .. 15, times 4 bits to the
						 * left */
	uint64_t layer_keys[RIBBON_MAX_LAYERS + 1]; /* keys reaching each */

	/*
	 * bumped layers, narrow zones, wide zones; homogeneous: only the first.
	 * Those behind ribbon_filter_nsystems are not set.
	 */
	RibbonSystem systems[RIBBON_MAX_SYSTEMS];
};

/* Linear systems in all: bumped layers and zones. */
static inline unsigned
ribbon_filter_nsystems(const RibbonFilter *filter)
{
	return (unsigned) filter->nlayers + filter->nzones[0] + filter->nzones[1];
}

/*
 * The bytes of an opened filter up to its last system.  Whoever keeps many of
 * them may copy these alone: 384 or 480 for a thousand keys, of 4,032 in all.
 */
static inline size_t
ribbon_filter_size(const RibbonFilter *filter)
{
	return offsetof(RibbonFilter, systems) +
		ribbon_filter_nsystems(filter) * sizeof(RibbonSystem);
}

/*
 * Open a filter's bytes for probing: decode and validate the header, and set
 * *filter.  Any bytes may be given.  After RIBBON_OK nbytes is exactly what the
 * header calls for, and no probe reads outside bytes[0..nbytes), whatever the
 * bytes behind the header are; these are not read here.  bytes must stay where
 * it is while filter is in use.  Nothing is allocated, and there is nothing to
 * close.  The time grows with the number of layers and zones.
 *
 * Errors: RIBBON_TRUNCATED, RIBBON_BAD_VERSION, RIBBON_CORRUPT; then *filter is
 * not to be used.
 */
extern RibbonStatus ribbon_open(const uint8_t *bytes, size_t nbytes,
								RibbonFilter *filter);

/*
 * Check all bytes of a filter that ribbon_open has opened, as far as that can
 * be done without the keys.  It returns RIBBON_OK for each filter that
 * ribbon_build or ribbon_shrink has made, undamaged.  It cannot see that the
 * value of a slot of a BuRR filter has been changed.  env is used for
 * interrupts only.
 *
 * Errors: RIBBON_BAD_LAYERS, RIBBON_BAD_THRESHOLDS, RIBBON_BAD_PADDING,
 * RIBBON_BAD_RATE, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_check(const RibbonEnv *env,
								 const RibbonFilter *filter);

/*
 * Is the key with this hash in the set?  True for all members, and for a
 * non-member with probability ribbon_fpr(filter); false if the filter is empty.
 */
static inline bool
ribbon_contains(const RibbonFilter *filter, uint64_t hash)
{
	return filter->contains(filter, hash);
}

/* The same for n hashes: sets answers[i] for hashes[i], i = 0 .. n - 1. */
extern void ribbon_contains_batch(const RibbonFilter *filter,
								  const uint64_t *hashes, size_t n,
								  bool *answers);

/*
 * The same for a filter whose bytes are not all in memory.
 *
 * ribbon_open_header is ribbon_open for a filter of nbytes bytes of which only
 * header[0..nheader), the first ones, can be read; min(nbytes,
 * RIBBON_MAX_HEADER) of them are enough.  A filter opened so is good only for
 * ribbon_fpr, ribbon_nslots, reading its members, and ribbon_contains_sliced;
 * none of these reads the header again.
 *
 * ribbon_contains_sliced calls fetch(arg, at, length) for a few slices of the
 * filter, one after the other.  It returns a pointer to length bytes (1 ..
 * RIBBON_MAX_SLICE), those from byte at of the filter on, which must stay there
 * until the next call of fetch or the end of the probe.  All slices are inside
 * of the filter, whatever their bytes are.  fetch may longjmp out of the probe,
 * which has nothing to free.
 */
#define RIBBON_MAX_SLICE 1800

typedef const uint8_t *(*RibbonFetch)(void *arg, uint64_t at, size_t length);

extern RibbonStatus ribbon_open_header(const uint8_t *header, size_t nheader,
									   size_t nbytes, RibbonFilter *filter);
extern bool ribbon_contains_sliced(const RibbonFilter *filter, uint64_t hash,
								   RibbonFetch fetch, void *arg);

/*
 * The false-positive rate of this filter, from its header: the probability that
 * it says yes to a random non-member; 0 if it is empty.
 */
extern double ribbon_fpr(const RibbonFilter *filter);

/* The number of slots of all ribbon systems of a filter. */
extern uint64_t ribbon_nslots(const RibbonFilter *filter);

/*
 * Make a smaller filter of the same keys with the higher FPR fpr, without the
 * keys, by dropping columns and part of a column [RF 5.1].  headroom, *out and
 * *nbytes are as headroom, *bytes and *nbytes of ribbon_build.  If fpr is
 * within 0.4 % of the filter's own, or the filter is empty, the result is a
 * copy.
 *
 * Errors: RIBBON_BAD_FPR, RIBBON_NOT_LARGER (fpr is below the filter's own),
 * RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
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

/* Both with another seed; 0 gives the same hashes. */
extern uint64_t ribbon_hash_bytes_seeded(const void *key, size_t len,
										 uint32_t seed);
extern uint64_t ribbon_hash_word_seeded(uint64_t word, uint32_t seed);

/*
 * The shard of a hash, 0 .. nshards - 1, to divide a set among nshards > 0
 * filters.  It does not depend on where a key is in a filter.  Its values will
 * never change.
 */
extern uint32_t ribbon_hash_to_shard(uint64_t hash, uint32_t nshards);

#pragma GCC visibility pop

#endif /* RIBBON_H */
