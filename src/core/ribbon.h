/*
 * ribbon.h - the public interface of the ribbon filter core
 *
 * A ribbon filter answers "is this key in the set?" from a few bits per key:
 * never "no" for a member, "yes" for a non-member with a probability that was
 * chosen when the filter was built (its false-positive rate, FPR).  This
 * library builds such filters from 64-bit key hashes, as one run of bytes
 * described in docs/format.md, and probes them where they lie.
 *
 *	 hashes --ribbon_build--> bytes --ribbon_open--> RibbonFilter
 *	                            |                        |
 *	                      ribbon_shrink         ribbon_contains
 *
 * The core knows nothing of PostgreSQL.  Memory comes from the caller's
 * RibbonEnv, failure goes out as a RibbonStatus, nothing is printed and no
 * global is written after the probe kernel has been chosen.  Probing allocates
 * nothing.
 *
 * Two filters built from the same set of hashes with the same RibbonParams are
 * the same bytes, whatever the order of the hashes, the duplicates among them,
 * the machine or its instruction set.
 */
#ifndef RIBBON_H
#define RIBBON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What a call can come back with.  Only RIBBON_OK leaves its results set; after
 * any other status nothing is allocated that the caller would have to free.
 */
typedef enum RibbonStatus
{
	RIBBON_OK = 0,
	RIBBON_OUT_OF_MEMORY, /* RibbonEnv.alloc returned NULL */
	RIBBON_INTERRUPTED,	  /* RibbonEnv.interrupted returned true */
	RIBBON_BAD_FPR,		  /* FPR outside RIBBON_MIN_FPR..RIBBON_MAX_FPR */
	RIBBON_BAD_PARAMS,	  /* unknown kind or width, bad key class */
	RIBBON_NOT_LARGER,	  /* shrink: FPR is below the filter's own */
	RIBBON_TRUNCATED,	  /* bytes end before the format says so */
	RIBBON_BAD_VERSION,	  /* format version this library cannot read */
	RIBBON_CORRUPT,		  /* bytes that no builder writes */
	RIBBON_BAD_LAYERS,	  /* these and the next are ribbon_check's */
	RIBBON_BAD_THRESHOLDS,
	RIBBON_BAD_PADDING,
	RIBBON_BAD_RATE,
	RIBBON_NSTATUS
} RibbonStatus;

/* One English sentence (no capital, no full stop) for a status; never NULL. */
extern const char *ribbon_status_text(RibbonStatus status);

/*
 * A store keeps hashes (the keys', or what layers make of them) of a build that
 * has no memory for all of them: in files, say.  Whoever opened it closes it.
 * Any status but RIBBON_OK ends the build.
 */
typedef struct RibbonStore RibbonStore;
struct RibbonStore
{
	RibbonStatus (*add)(RibbonStore *store, const uint64_t *hashes, size_t n);

	/* After the last add: sort, and drop duplicates; *nhashes are left. */
	RibbonStatus (*seal)(RibbonStore *store, uint64_t *nhashes);

	/*
	 * Then: copy the hashes first <= hash <= last, in order, to hashes[0..room),
	 * and set *n to their number, or SIZE_MAX if they are more than that.  If
	 * it is more than room, only it is set.
	 */
	RibbonStatus (*read)(RibbonStore *store, uint64_t first, uint64_t last,
						 uint64_t *hashes, size_t room, size_t *n);

	void (*close)(RibbonStore *store);
};

/*
 * What the core asks of its caller.  alloc returns memory aligned for any type
 * or NULL; free accepts what alloc returned, and NULL.  interrupted is asked
 * at least every millisecond or so of work; once it has returned true the call
 * cleans up and returns RIBBON_INTERRUPTED.  It may be NULL (never). Callbacks
 * must return: a longjmp out of one leaks what the core has allocated.
 */
typedef struct RibbonEnv RibbonEnv;

/* Part i of some work. */
typedef RibbonStatus RibbonTask(const RibbonEnv *env, void *arg, unsigned i);

struct RibbonEnv
{
	void *(*alloc)(void *arg, size_t size);
	void (*free)(void *arg, void *ptr);
	bool (*interrupted)(void *arg);
	void *arg;

	/*
	 * A place for hashes that are too many for memory, of which about
	 * nexpected are to come.  NULL: all stay in memory.
	 */
	RibbonStatus (*open_store)(void *arg, uint64_t nexpected,
							   RibbonStore **store);

	/*
	 * Do task(env, task_arg, i) for all i below n, in any order or at once, in
	 * threads; the status is RIBBON_OK if all of them were.  The env that tasks
	 * are given serves several of them at once.  A task that was interrupted may
	 * be done again.  nthreads is how many run at once.  NULL: one after the
	 * other.
	 */
	RibbonStatus (*run)(void *arg, unsigned n, RibbonTask *task,
						void *task_arg);
	unsigned nthreads;

	/* Told now and then which layer (0, 1, ...) is solved to which share. */
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
#define RIBBON_MAX_ZONES	  16 /* zones of the last layer, of each class */
#define RIBBON_MAX_SYSTEMS	  (RIBBON_MAX_LAYERS + 2 * RIBBON_MAX_ZONES)
#define RIBBON_MAX_HEADER	  640 /* bytes */

typedef enum RibbonKind
{
	RIBBON_BURR = 0,		/* bumped ribbon [BuRR 3.2]: smallest */
	RIBBON_HOMOGENEOUS = 1, /* homogeneous ribbon [RF 4]: fastest to probe */
	RIBBON_AUTO = 2			/* whichever takes fewer bytes (build only) */
} RibbonKind;

/* What to build.  Fill every member. */
typedef struct RibbonParams
{
	RibbonKind kind;
	int width;	   /* ribbon width w: 32, 64, 128 or _DEFAULT_; homogeneous:
					* 32 becomes 64 if fpr is below 2^-20 */
	double fpr;	   /* RIBBON_MIN_FPR .. RIBBON_MAX_FPR */
	int key_class; /* one that ribbon_key_class_is_valid, stored as is */
} RibbonParams;

/*
 * A key class says what the caller hashes.  The core only stores it: a number
 * below RIBBON_KEY_CLASSES.  Keys of some classes are made of parts, and there
 * may be up to three classes more for these, in groups of five bits from bit 5
 * on: of the parts, of their parts, and of those; or, of the class whose keys are
 * rows, of the first columns.  0 stands for none, or one that is not known.
 */
#define RIBBON_KEY_CLASS_BITS  5
#define RIBBON_KEY_PARTS_BITS  (3 * RIBBON_KEY_CLASS_BITS)
#define RIBBON_FIRST_KEY_PARTS 23 /* classes whose keys have such parts */
#define RIBBON_LAST_KEY_PARTS  26
#define RIBBON_SIDE_BY_SIDE	   26 /* parts side by side */

/* The class proper, and the classes of its parts. */
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

/* Can this be a key class?  Parts are only of what has parts. */
extern bool ribbon_key_class_is_valid(int key_class);

/* RIBBON_OK, RIBBON_BAD_FPR (NaN included) or RIBBON_BAD_PARAMS. */
extern RibbonStatus ribbon_params_check(const RibbonParams *params);

/*
 * Sort hashes[0..*nhashes) and drop duplicates, so that *nhashes is their
 * number; ribbon_build does the same, and sees when it is done.
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_distinct(const RibbonEnv *env, uint64_t *hashes,
									size_t *nhashes);

/* Bytes that a filter of so many keys takes at the very least. */
extern double ribbon_least_bytes(const RibbonParams *params, uint64_t nkeys);

/*
 * Build a filter of the set of 64-bit hashes[0..nhashes).
 *
 * The array is the caller's.  It is put in order first, with the distinct hashes
 * in front, and only read from then on; so after ribbon_distinct it stays what it
 * is.  Equal hashes count once.  nhashes may be 0.
 *
 * On RIBBON_OK *bytes is a buffer from env->alloc, to be freed by the caller,
 * of headroom bytes left untouched (for a varlena header, say) followed by
 * *nbytes bytes of filter.
 *
 * Errors: those of ribbon_params_check, RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_build(const RibbonEnv *env,
								 const RibbonParams *params, uint64_t *hashes,
								 size_t nhashes, size_t headroom,
								 uint8_t **bytes, size_t *nbytes);

/*
 * The same for the hashes of a sealed store, of which there are nhashes.  If these
 * are many, memory beyond the result is limited, however many they are, to some
 * 24 MB and 15 MB for each further thread; the store is read in windows, most
 * of the time from the highest hashes down.  env->open_store must be set.
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
	uint64_t whole;			   /* a probe that starts below it may read whole
								* words, and columns by the eight */
	const uint8_t *thresholds; /* 2 bits per bucket, or NULL */
	const uint8_t *slots;	   /* first byte of the ICML blocks */
	uint64_t wide_block;	   /* first ICML block of r + 1 columns */
	uint64_t last_narrow;	   /* greatest hash that checks r bits */
	uint64_t addend;		   /* a zone's hashes: what its seed adds to them */
	uint8_t result_bits;	   /* r: of the narrow blocks, 0 .. 32 */
	uint8_t groups;			   /* of eight columns, in the widest blocks */
	uint8_t width;			   /* w: slots per ICML block, 32, 64 or 128 */
	uint8_t row_bits;		   /* w' = min(w, m): bits of a coefficient row */
	uint8_t seed;			   /* last layer: which hash functions solved it */
	uint16_t wide;			   /* of 2048 keys, how many have one bit more */
	uint64_t nslots;		   /* m */
	uint64_t nstarts;		   /* distinct starting positions, m - w' + 1 */
	uint64_t unused;		   /* 96 bytes: an index is multiplied at once */
} RibbonSystem;

/* The bumping thresholds that two bits per bucket can name [BuRR 7.1]. */
typedef struct RibbonBuckets
{
	unsigned log2_size;	   /* b = 1 << log2_size starting positions */
	unsigned threshold[4]; /* by code: positions below it are bumped; the
							* first is 0, the last b */
} RibbonBuckets;

struct RibbonBatch; /* query.h */

/*
 * A filter opened for probing: the decoded header and pointers into the bytes,
 * which must stay where they are while the RibbonFilter is in use.  Read the
 * members freely; only ribbon_open writes them.
 */
typedef struct RibbonFilter
{
	uint64_t nkeys; /* exact number of distinct hashes */
	RibbonKind kind;
	int version;
	int width; /* w of the bumped layers */
	int key_class;
	unsigned result_bits; /* r = floor(log2(1/FPR)) for BuRR */
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
	bool (*contains_bumped)(const struct RibbonFilter *filter, uint64_t hash);
	bool (*last_layer)(const struct RibbonFilter *filter, uint64_t hash);
	bool (*contains_salted)(const struct RibbonFilter *filter, uint64_t hash);
	bool (*contains)(const struct RibbonFilter *filter, uint64_t hash);
	void (*batch)(const struct RibbonFilter *filter, const RibbonSystem *system,
				  struct RibbonBatch *batch);
	/* the same for batches mostly of members; NULL: single probes */
	void (*batch_members)(const struct RibbonFilter *filter,
						  const RibbonSystem *system,
						  struct RibbonBatch *batch);
	size_t least_batch; /* fewer keys are probed one by one */
	int nlayers;		/* bumped layers, 0 .. RIBBON_MAX_LAYERS */
	unsigned nzones[2]; /* narrow, wide zones of the last layer */
	unsigned rotation;	/* by so many 16ths its hashes are rotated */
	uint64_t layer_keys[RIBBON_MAX_LAYERS + 1]; /* keys reaching each */

	/* bumped layers, narrow zones, wide zones; homogeneous: only the first */
	RibbonSystem systems[RIBBON_MAX_SYSTEMS];
} RibbonFilter;

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
 * Decode and validate a filter's bytes.  This is all the validation there is:
 * it takes O(layers) time, needs only the header to be readable, checks that
 * nbytes is exactly what the header calls for, and after RIBBON_OK no probe
 * reads outside bytes[0..nbytes), whatever the rest of them holds.
 *
 * Errors: RIBBON_TRUNCATED, RIBBON_BAD_VERSION, RIBBON_CORRUPT.
 */
extern RibbonStatus ribbon_open(const uint8_t *bytes, size_t nbytes,
								RibbonFilter *filter);

/*
 * Look at all the bytes of an opened filter for what no builder writes.  It
 * goes through everything that can be checked without the keys, says nothing
 * against any filter that ribbon_build or ribbon_shrink has made, and cannot see
 * that a slot of a BuRR filter holds another value than it did.
 *
 * Errors: RIBBON_BAD_LAYERS, RIBBON_BAD_THRESHOLDS, RIBBON_BAD_PADDING,
 * RIBBON_BAD_RATE, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_check(const RibbonEnv *env,
								 const RibbonFilter *filter);

/*
 * Is the key with this hash in the set?  true for every member, and for
 * non-members with probability ribbon_fpr().  false for an empty filter.
 */
static inline bool
ribbon_contains(const RibbonFilter *filter, uint64_t hash)
{
	return filter->contains(filter, hash);
}

/* The same for n hashes: answers[i] for hashes[i]. */
extern void ribbon_contains_batch(const RibbonFilter *filter,
								  const uint64_t *hashes, size_t n,
								  bool *answers);

/*
 * The same for a filter whose bytes are not all in memory.  ribbon_open_header
 * is ribbon_open for a filter of nbytes bytes of which only the first
 * nheader are there to be read, and no others are: RIBBON_MAX_HEADER of them
 * are enough, or all if there are fewer.  The filter can then be inspected,
 * and probed by ribbon_contains_sliced, but by nothing else.
 *
 * That calls fetch for a few slices, one after the other: length bytes, at most
 * RIBBON_MAX_SLICE, counted from the filter's byte at.  They must stay until
 * the next call, and are all that is read.  They lie inside the filter whatever
 * its other bytes hold.  fetch may longjmp out of the probe, which holds
 * nothing.
 */
#define RIBBON_MAX_SLICE 1100

typedef const uint8_t *(*RibbonFetch)(void *arg, uint64_t at, size_t length);

extern RibbonStatus ribbon_open_header(const uint8_t *header, size_t nheader,
									   size_t nbytes, RibbonFilter *filter);
extern bool ribbon_contains_sliced(const RibbonFilter *filter, uint64_t hash,
								   RibbonFetch fetch, void *arg);

/* The expected FPR of this very filter, over random non-members; 0 if empty. */
extern double ribbon_fpr(const RibbonFilter *filter);

/* Slots in all systems. */
extern uint64_t ribbon_nslots(const RibbonFilter *filter);

/*
 * Write a filter of the same keys with a higher FPR, without the keys, by
 * dropping columns and part of a column [RF 5.1].  *bytes and headroom are as
 * for ribbon_build.  If fpr is within 0.4 % of the filter's own (and for
 * an empty filter), the result is a copy.
 *
 * Errors: RIBBON_BAD_FPR, RIBBON_NOT_LARGER (fpr is below the filter's own),
 * RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_shrink(const RibbonEnv *env,
								  const RibbonFilter *filter, double fpr,
								  size_t headroom, uint8_t **out,
								  size_t *nbytes);

/* XXH3-64 with seed 0 of a key's canonical bytes: the hash used everywhere. */
extern uint64_t ribbon_hash_bytes(const void *key, size_t len);

/* The same of the eight bytes of a word, as they are in memory. */
extern uint64_t ribbon_hash_word(uint64_t word);

/*
 * A number below nshards (which is not 0) for a hash, so that a set too large
 * for one filter can be cut into parts.  It is independent of where a key is
 * in a filter; it will never change.
 */
extern uint32_t ribbon_hash_to_shard(uint64_t hash, uint32_t nshards);

#endif /* RIBBON_H */
