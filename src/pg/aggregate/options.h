/*
 * options.h - what the last arguments of a row say of what to build
 */
#ifndef RIBBON_OPTIONS_H
#define RIBBON_OPTIONS_H

#include "aggregate/buildparams.h"

/*
 * Set params from a row's arguments behind the key: the rate and the options,
 * of which there is one at least.  Returns whether options were parsed: they
 * are not if they are the same text as *last, where a copy is kept, in context,
 * or NULL at first.  After an error params are valid still, since a caller that
 * catches it may call again.
 */
extern bool ribbon_options_read_given(FunctionCallInfo fcinfo,
									  RibbonBuildParams *params,
									  const RibbonAggregateInfo *info,
									  struct varlena **last,
									  MemoryContext context);

/* The same, where there may be none. */
static pg_attribute_always_inline bool
ribbon_options_read(FunctionCallInfo fcinfo, RibbonBuildParams *params,
					const RibbonAggregateInfo *info, struct varlena **last,
					MemoryContext context)
{
	int first = info->fpr_arg != 0 ? info->fpr_arg : info->options_arg;

	return PG_NARGS() > first &&
		ribbon_options_read_given(fcinfo, params, info, last, context);
}

/* Set what is mentioned in a text; errors list what is valid. */
extern void ribbon_options_parse(const struct varlena *options,
								 RibbonBuildParams *params);

#endif /* RIBBON_OPTIONS_H */
