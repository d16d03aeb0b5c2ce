/*
 * buildparams.c - what to build of a group: defaults, and whether two parts of
 * a group agree
 */
#include "aggregate/buildparams.h"

#define DEFAULT_FPR 0.01

RibbonBuildParams
ribbon_buildparams_default(int key_class, RibbonAggregate aggregate)
{
	return (RibbonBuildParams){
		.fpr = aggregate == RIBBON_AGGREGATE_EXACT ? 1 : DEFAULT_FPR,
		.key_class = key_class,
		.kind = ribbon_aggregate_info(aggregate)->elements ==
				RIBBON_EXACT_RECORDS ?
			RIBBON_EXACT :
			RIBBON_BURR,
		.width = RIBBON_DEFAULT_WIDTH,
		.coding = aggregate == RIBBON_AGGREGATE_MAP ? RIBBON_CODING_AUTO :
													  RIBBON_CODING_PLAIN,
		.aggregate = aggregate,
	};
}

/* A group is built with one set of parameters, however its rows are split. */
void
ribbon_buildparams_report(const RibbonBuildParams *a,
						  const RibbonBuildParams *b)
{
	if (a->fpr != b->fpr)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("false-positive rate of %s must not change within a group",
						ribbon_buildparams_name(a)),
				 errdetail("There are rows with %g and with %g.",
						   Min(a->fpr, b->fpr), Max(a->fpr, b->fpr))));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("options of %s must not change within a group",
					ribbon_buildparams_name(a))));
}
