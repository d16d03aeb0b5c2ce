/*
 * buildparams.h - what to build of a group, by which aggregate: the same for
 * every row of it
 *
 * The class of the keys comes from their type, the rest from the last arguments
 * of each row: the rate, and the options.  Errors name the aggregate.
 */
#ifndef RIBBON_BUILDPARAMS_H
#define RIBBON_BUILDPARAMS_H

#include "ribbon_pg.h"

#include "set/element.h"

typedef enum RibbonAggregate
{
	RIBBON_AGGREGATE_BUILD,
	RIBBON_AGGREGATE_MAP,
	RIBBON_AGGREGATE_EXACT,
	RIBBON_AGGREGATE_EXACT_RATED, /* with a rate for keys not listed */
	RIBBON_AGGREGATE_KEYS,
	RIBBON_AGGREGATE_BUILD_KEYS,
	RIBBON_AGGREGATE_BUILD_HASHED, /* ribbon_build(ribbonkey) */
	RIBBON_AGGREGATE_SIZE, /* none: ribbon_size, of what would be built */
	RIBBON_NAGGREGATES
} RibbonAggregate;

/* What tells one from another. */
typedef struct RibbonAggregateInfo
{
	const char *name;
	RibbonSqlType type;			/* what a state becomes */
	RibbonElementKind elements; /* and what it holds for each row */
	int fpr_arg;				/* which argument is the rate; 0: none */
	int options_arg;			/* which argument is the options; 0: none */
	bool is_internal; /* is its state of type internal, not a ribbonkeys? */
} RibbonAggregateInfo;

static inline const RibbonAggregateInfo *
ribbon_aggregate_info(RibbonAggregate aggregate)
{
	static const RibbonAggregateInfo infos[] = {
		[RIBBON_AGGREGATE_BUILD] = {"ribbon_build", RIBBON_SQL_FILTER,
									RIBBON_HASHES, 2, 3, true},
		[RIBBON_AGGREGATE_MAP] = {"ribbon_map", RIBBON_SQL_MAP,
								  RIBBON_MAP_RECORDS, 3, 4, true},
		[RIBBON_AGGREGATE_EXACT] = {"ribbon_build_exact", RIBBON_SQL_FILTER,
									RIBBON_EXACT_RECORDS, 0, 3, true},
		[RIBBON_AGGREGATE_EXACT_RATED] = {"ribbon_build_exact",
										  RIBBON_SQL_FILTER,
										  RIBBON_EXACT_RECORDS, 3, 4, true},
		[RIBBON_AGGREGATE_KEYS] = {"ribbon_keys", RIBBON_SQL_KEYS,
								   RIBBON_HASHES},
		[RIBBON_AGGREGATE_BUILD_KEYS] = {"ribbon_build_keys", RIBBON_SQL_FILTER,
										 RIBBON_HASHES, 2, 3},
		[RIBBON_AGGREGATE_BUILD_HASHED] = {"ribbon_build", RIBBON_SQL_FILTER,
										   RIBBON_HASHES, 2, 3},
		[RIBBON_AGGREGATE_SIZE] = {"ribbon_size", RIBBON_SQL_FILTER,
								   RIBBON_HASHES},
	};

	return &infos[aggregate];
}

/* Half as large as RibbonParams: each group has one. */
typedef struct RibbonBuildParams
{
	double fpr; /* of a map it may be 1, of an exact set without one it is */
	union		/* the aggregate says which */
	{
		int64 as_of; /* of an exact set; 0 if it has none */
		uint32 seed; /* of a map */
	};
	uint8 kind;	  /* a RibbonKind; RIBBON_BURR for a map */
	uint8 width;  /* a ribbon width */
	uint8 coding; /* of a map, a RibbonCoding, else 0 */
	RibbonAggregate aggregate : 7;
	bool has_as_of : 1; /* of an exact set */
	int key_class;		/* the last: rows may add the classes of its parts */
} RibbonBuildParams;

StaticAssertDecl(sizeof(RibbonBuildParams) == 24,
				 "parameters are compared as bytes, and have none unused");

static inline const RibbonAggregateInfo *
ribbon_buildparams_info(const RibbonBuildParams *params)
{
	return ribbon_aggregate_info(params->aggregate);
}

/* In how many words a state holds a row. */
static inline unsigned
ribbon_buildparams_stride(const RibbonBuildParams *params)
{
	return ribbon_element_stride(ribbon_buildparams_info(params)->elements);
}

static inline bool
ribbon_buildparams_is_map(const RibbonBuildParams *params)
{
	return params->aggregate == RIBBON_AGGREGATE_MAP;
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

/* What is built if only keys, and values, are given. */
extern RibbonBuildParams ribbon_buildparams_default(int key_class,
													RibbonAggregate aggregate);

/*
 * Throw: two parts of a group differ.  (Were it pg_noreturn, gcc would make
 * slower code of each row.)
 */
extern void ribbon_buildparams_report(const RibbonBuildParams *a,
									  const RibbonBuildParams *b);

/* Throw unless parts of a group have the same, but for the class of keys. */
static inline void
ribbon_buildparams_check_same(const RibbonBuildParams *a,
							  const RibbonBuildParams *b)
{
	if (unlikely(memcmp(a, b, offsetof(RibbonBuildParams, key_class)) != 0))
		ribbon_buildparams_report(a, b);
}

/* What the row read last says.  Valid also after an error in the next one. */
typedef struct RibbonRowParams
{
	RibbonBuildParams params; /* at first, the defaults */
	struct varlena *options;  /* their text, in this context; NULL at first */
	MemoryContext context;
} RibbonRowParams;

/*
 * Read a row's arguments behind the key: the rate and the options, of which
 * there is one at least.  Returns whether options were parsed, for they are not
 * the same text as those of the row before.
 */
extern bool ribbon_buildparams_read_row(FunctionCallInfo fcinfo,
										const RibbonAggregateInfo *info,
										RibbonRowParams *row);

/* The same, where there may be none. */
static pg_attribute_always_inline bool
ribbon_buildparams_read(FunctionCallInfo fcinfo,
						const RibbonAggregateInfo *info, RibbonRowParams *row)
{
	int first = info->fpr_arg != 0 ? info->fpr_arg : info->options_arg;

	Assert(first != 0); /* an aggregate without both is not to ask */
	return PG_NARGS() > first && ribbon_buildparams_read_row(fcinfo, info, row);
}

/*
 * Set what is mentioned in a text, and all else but the rate to the defaults;
 * errors list what is valid.
 */
extern void ribbon_buildparams_parse(const struct varlena *options,
									 RibbonBuildParams *params);

#endif /* RIBBON_BUILDPARAMS_H */
