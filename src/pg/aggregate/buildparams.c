/*
 * buildparams.c - what to build of a group: defaults, the arguments of a row,
 * and whether two parts of a group agree
 */
#include "aggregate/buildparams.h"

#include "server/server.h"

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
		.coding = aggregate == RIBBON_AGGREGATE_MAP ? RIBBON_CODE_AUTO :
													  RIBBON_CODE_PLAIN,
		.aggregate = (uint8) aggregate,
	};
}

/* A group is built with one set of parameters, however its rows are split. */
void
ribbon_buildparams_compare(const RibbonBuildParams *a,
						   const RibbonBuildParams *b)
{
	if (a->fpr != b->fpr)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("false-positive rate of %s must not change within a group",
						ribbon_buildparams_name(a)),
				 errdetail("There are rows with %g and with %g.",
						   Min(a->fpr, b->fpr), Max(a->fpr, b->fpr))));
	if (a->kind != b->kind || a->width != b->width || a->as_of != b->as_of ||
		a->coding != b->coding || a->has_as_of != b->has_as_of)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("options of %s must not change within a group",
						ribbon_buildparams_name(a))));
}

static void
check_not_null(FunctionCallInfo fcinfo, const RibbonBuildParams *params,
			   int arg, const char *what)
{
	if (PG_ARGISNULL(arg))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s of %s must not be null", what,
						ribbon_buildparams_name(params))));
}

static void
read_fpr(FunctionCallInfo fcinfo, RibbonBuildParams *params, int arg)
{
	check_not_null(fcinfo, params, arg, "false-positive rate");
	if (likely(PG_GETARG_FLOAT8(arg) == params->fpr))
		return;

	ribbon_error_check_fpr(PG_GETARG_FLOAT8(arg),
						   ribbon_buildparams_is_map(params));
	params->fpr = PG_GETARG_FLOAT8(arg);
}

static pg_noinline void
set_options(RibbonBuildParams *params, const struct varlena *text)
{
	RibbonBuildParams read =
		ribbon_buildparams_default(params->key_class,
								   (RibbonAggregate) params->aggregate);

	read.fpr = params->fpr;
	ribbon_options_parse(text, &read);
	*params = read;
}

static bool
read_options(FunctionCallInfo fcinfo, RibbonBuildParams *params, int arg,
			 struct varlena **last, MemoryContext context)
{
	struct varlena *text;
	size_t size;

	check_not_null(fcinfo, params, arg, "options");
	text = PG_GETARG_VARLENA_PP(arg);
	size = VARSIZE_ANY(text);
	if (likely(*last != NULL && VARSIZE_ANY(*last) == size &&
			   memcmp(*last, text, size) == 0))
		return false;

	set_options(params, text);
	if (*last != NULL)
		pfree(*last);
	*last = NULL; /* in case there is no memory */
	*last = MemoryContextAlloc(context, size);
	memcpy(*last, text, size);
	return true;
}

bool
ribbon_buildparams_read_given(FunctionCallInfo fcinfo,
							  RibbonBuildParams *params,
							  const RibbonAggregateInfo *info,
							  struct varlena **last, MemoryContext context)
{
	if (info->fpr_arg != 0)
		read_fpr(fcinfo, params, info->fpr_arg);
	return PG_NARGS() > info->options_arg &&
		read_options(fcinfo, params, info->options_arg, last, context);
}
