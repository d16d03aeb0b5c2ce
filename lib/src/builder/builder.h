/*
 * builder.h - a builder, in five files
 *
 *	 builder.c			from its first call to its last
 *	 builder_options.c	what is to be built
 *	 builder_keys.c		keys
 *	 builder_values.c	the values of a map, and their codes
 *	 builder_conflict.c	a key with two values
 */
#ifndef RIBBON_BUILDER_H
#define RIBBON_BUILDER_H

#include "src/key/keys.h"
#include "tempfile.h"
#include "work.h"

#include "set/set.h"
#include "values/range.h"
#include "values/texts.h"

/* How far a builder has come; functions of ribbon.h take it on. */
typedef enum RibbonBuilderState
{
	RIBBON_TAKES_OPTIONS,
	RIBBON_TAKES_KEYS, /* options are fixed */
	RIBBON_LOST_KEYS,  /* in the call that failed: broken_by */
	RIBBON_FINISHED
} RibbonBuilderState;

struct ribbon_builder
{
	RibbonBuilderState state;
	ribbon_status broken_by; /* of a builder that lost keys */

	RibbonParams params; /* numbers are those of the public header */
	RibbonValues values; /* of a map, to which params point */
	bool has_exact_fpr;	 /* the rate is that of an exact set */
	bool typed;			 /* the type of keys was given; else that of params
						  * is fixed by the first key */

	uint64_t count;	   /* of keys that were added, duplicates and all */
	RibbonSet set;	   /* of these, since options are fixed */
	RibbonRange range; /* of the values of a map */
	RibbonTexts texts; /* zeroed if there are none */

	RibbonWork work;
	RibbonTempFile file; /* to which the set goes if there is no memory left */
	bool has_conflict;
	RibbonRecord conflict[2]; /* if there is one */
};

static inline bool
ribbon_builder_is_exact(const ribbon_builder *builder)
{
	return builder->params.kind == RIBBON_EXACT;
}

/* builder.c: before keys, or at the end, fix options that agree. */
extern ribbon_status ribbon_builder_begin(ribbon_builder *builder);

/*
 * builder.c: before n keys, may there be more, of this type?  Where
 * none was given, it is the builder's if these are the first ones, or if there
 * will be none.
 */
extern ribbon_status ribbon_builder_begin_keys(ribbon_builder *builder,
											   int key_type, size_t n);

/* builder_options.c: do the options go together? */
extern ribbon_status ribbon_builder_check_options(const ribbon_builder
													  *builder);

/*
 * builder_values.c: at the end, set what the core is to know of the values.
 * The caller frees builder->values.dictionary, also after an error.
 */
extern ribbon_status ribbon_builder_set_codes(ribbon_builder *builder);

/*
 * builder_conflict.c: remember what is in conflict; RIBBON_ERROR_CONFLICT, with
 * the values.
 */
extern ribbon_status ribbon_builder_remember_conflict(ribbon_builder *builder);

/*
 * builder.c: the status of the library for that of the core or a set, with
 * its text; it may be RIBBON_SUCCESS.  A conflict is remembered.
 */
extern ribbon_status ribbon_builder_judge(ribbon_builder *builder,
										  RibbonStatus status);

/* builder_keys.c: make room for n elements more, at most RIBBON_KEYS_BATCH. */
extern ribbon_status ribbon_builder_make_room(ribbon_builder *builder,
											  size_t n);

/* Count n elements that were written to ribbon_set_end, where there is room. */
static inline void
ribbon_builder_count_more(ribbon_builder *builder, size_t n)
{
	ribbon_set_count_more(&builder->set, n);
	builder->count += n;
}

/* Put an element, with its word if it has one, where there is room. */
static inline void
ribbon_builder_put(ribbon_builder *builder, uint64_t hash, uint64_t word)
{
	uint64_t *element = ribbon_set_end(&builder->set);

	element[0] = hash;
	if (builder->set.kind != RIBBON_HASHES)
		element[1] = word;
	ribbon_builder_count_more(builder, 1);
}

#endif /* RIBBON_BUILDER_H */
