/*
 * buildparams.h - what to build of a group: the same for every row of it
 *
 * The class of the keys comes from their type, the rest from the last arguments
 * of each row: the rate, and the options.  Errors name the aggregate.
 */
#ifndef RIBBON_BUILDPARAMS_H
#define RIBBON_BUILDPARAMS_H

#include "aggregate/aggregates.h"
#include "set/element.h"

/* Half as large as RibbonParams: each group has one. */
typedef struct RibbonBuildParams
{
	double fpr; /* of a map it may be 1, of an exact set without one it is */
	union
	{
		int64 as_of; /* of an exact set; 0 if it has none */
		uint32 seed; /* of a map */
	};
	uint8 kind;			 /* a RibbonKind; RIBBON_BURR for a map */
	uint8 width;		 /* a ribbon width */
	uint8 coding;		 /* of a map, a RibbonCoding, else 0 */
	uint8 aggregate : 7; /* which one builds: a RibbonAggregate */
	uint8 has_as_of : 1; /* of an exact set */
	int key_class;		 /* the last: rows may add the classes of its parts */
} RibbonBuildParams;

StaticAssertDecl(sizeof(RibbonBuildParams) == 24,
				 "parameters are compared as bytes, and have none unused");

/* What a state holds for each row, */
static inline RibbonElementKind
ribbon_buildparams_elements(const RibbonBuildParams *params)
{
	return ribbon_aggregate_info((RibbonAggregate) params->aggregate)->elements;
}

/* and in how many words. */
static inline unsigned
ribbon_buildparams_stride(const RibbonBuildParams *params)
{
	return ribbon_element_stride(ribbon_buildparams_elements(params));
}

static inline bool
ribbon_buildparams_is_map(const RibbonBuildParams *params)
{
	return params->aggregate == RIBBON_AGGREGATE_MAP;
}

/* What a state becomes, for messages. */
static inline RibbonSqlType
ribbon_buildparams_type(const RibbonBuildParams *params)
{
	return ribbon_buildparams_is_map(params)	   ? RIBBON_SQL_MAP :
		params->aggregate == RIBBON_AGGREGATE_KEYS ? RIBBON_SQL_KEYS :
													 RIBBON_SQL_FILTER;
}

/* The name of the aggregate, for messages. */
static inline const char *
ribbon_buildparams_name(const RibbonBuildParams *params)
{
	return ribbon_aggregate_name((RibbonAggregate) params->aggregate);
}

/* The core's parameters; of a map, without its values. */
static inline RibbonParams
ribbon_buildparams_core(const RibbonBuildParams *params)
{
	return (RibbonParams){.kind = (RibbonKind) params->kind,
						  .width = params->width,
						  .fpr = params->fpr,
						  .key_class = params->key_class,
						  .has_as_of = params->has_as_of,
						  .as_of = params->has_as_of ? params->as_of : 0};
}

/*
 * buildparams.c
 */

/* What is built if only keys, and values, are given. */
extern RibbonBuildParams ribbon_buildparams_default(int key_class,
													RibbonAggregate aggregate);

/* Throw unless parts of a group have the same, but for the class of keys. */
extern void ribbon_buildparams_compare(const RibbonBuildParams *a,
									   const RibbonBuildParams *b);

/* The same, where a few instructions for each row count. */
static inline void
ribbon_buildparams_check_same(const RibbonBuildParams *a,
							  const RibbonBuildParams *b)
{
	if (unlikely(memcmp(a, b, offsetof(RibbonBuildParams, key_class)) != 0))
		ribbon_buildparams_compare(a, b);
}

/*
 * options.c
 */

/* What the row read last says.  Valid also after an error in the next one. */
typedef struct RibbonGiven
{
	RibbonBuildParams params; /* at first, the defaults */
	struct varlena *options;  /* their text, in this context; NULL at first */
	MemoryContext context;
} RibbonGiven;

/*
 * Read a row's arguments behind the key: the rate and the options, of which
 * there is one at least.  Returns whether options were parsed, for they are not
 * the same text as those of the row before.
 */
extern bool ribbon_options_read_given(FunctionCallInfo fcinfo,
									  const RibbonAggregateInfo *info,
									  RibbonGiven *given);

/* The same, where there may be none. */
static pg_attribute_always_inline bool
ribbon_options_read(FunctionCallInfo fcinfo, const RibbonAggregateInfo *info,
					RibbonGiven *given)
{
	int first = info->fpr_arg != 0 ? info->fpr_arg : info->options_arg;

	Assert(first != 0); /* an aggregate without both is not to ask */
	return PG_NARGS() > first && ribbon_options_read_given(fcinfo, info, given);
}

/*
 * Set what is mentioned in a text, and all else but the rate to the defaults;
 * errors list what is valid.
 */
extern void ribbon_options_parse(const struct varlena *options,
								 RibbonBuildParams *params);

#endif /* RIBBON_BUILDPARAMS_H */
