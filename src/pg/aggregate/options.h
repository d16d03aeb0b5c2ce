/*
 * options.h - what the last arguments of a row say of what to build
 */
#ifndef RIBBON_OPTIONS_H
#define RIBBON_OPTIONS_H

#include "aggregate/buildparams.h"

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

	return PG_NARGS() > first && ribbon_options_read_given(fcinfo, info, given);
}

/* Set what is mentioned in a text; errors list what is valid. */
extern void ribbon_options_parse(const struct varlena *options,
								 RibbonBuildParams *params);

#endif /* RIBBON_OPTIONS_H */
