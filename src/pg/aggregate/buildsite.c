/*
 * buildsite.c - what a call site of ribbon_build or ribbon_map keeps
 *
 * Types of arguments are looked at once, and the rate and the options when they
 * change; else each row compares them with those of the row before.
 */
#include "aggregate/aggregate.h"

#include "key/keyhash.h"
#include "server/server.h"

#define DEFAULT_FPR 0.01

/* Which arguments are the key and, of ribbon_map, the value. */
#define KEY_ARGUMENT   1
#define VALUE_ARGUMENT 2

BuildParams
ribbon_buildparams_default(int key_class, RibbonAggregate aggregate)
{
	BuildParams params = {0};

	params.kind = RIBBON_BURR;
	params.width = RIBBON_DEFAULT_WIDTH;
	params.fpr = DEFAULT_FPR;
	params.key_class = key_class;
	params.map = aggregate == RIBBON_AGGREGATE_MAP;
	params.exact = aggregate == RIBBON_AGGREGATE_EXACT;
	if (aggregate >= RIBBON_AGGREGATE_KEYS)
		params.keys = (uint8_t) aggregate;
	params.coding = params.map ? RIBBON_CODE_AUTO : RIBBON_CODE_PLAIN;
	return params;
}

BuildSite *
ribbon_buildsite_create(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	bool map = aggregate == RIBBON_AGGREGATE_MAP;
	BuildSite *site = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
											 sizeof(BuildSite));

	ribbon_buildstate_init_space(&site->space, fcinfo);
	site->key_type.of = map ? RIBBON_SQL_MAP : RIBBON_SQL_FILTER;
	ribbon_keytype_decide_argument(&site->key_type, fcinfo, KEY_ARGUMENT);
	site->params = ribbon_buildparams_default(site->key_type.key_class,
											  aggregate);
	if (map)
		ribbon_valuetype_decide_argument(&site->value_type, fcinfo,
										 VALUE_ARGUMENT);
	fcinfo->flinfo->fn_extra = site;
	return site;
}

void
ribbon_buildparams_read_fpr(FunctionCallInfo fcinfo, BuildParams *params,
							int arg)
{
	if (PG_ARGISNULL(arg))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("false-positive rate of %s must not be null",
						ribbon_buildparams_name(params))));

	if (likely(PG_GETARG_FLOAT8(arg) == params->fpr))
		return;

	ribbon_error_check_fpr(PG_GETARG_FLOAT8(arg), params->map);
	params->fpr = PG_GETARG_FLOAT8(arg);
}

struct varlena *
ribbon_buildparams_read_options(FunctionCallInfo fcinfo, BuildParams *params,
								int arg, const struct varlena *last)
{
	struct varlena *options;
	size_t size;
	BuildParams read =
		ribbon_buildparams_default(params->key_class,
								   ribbon_buildparams_aggregate(params));

	if (PG_ARGISNULL(arg))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("options of %s must not be null",
						ribbon_buildparams_name(params))));

	options = PG_GETARG_VARLENA_PP(arg);
	size = VARSIZE_ANY(options);
	if (likely(last != NULL && VARSIZE_ANY(last) == size &&
			   memcmp(last, options, size) == 0))
		return NULL;

	read.fpr = params->fpr;
	ribbon_options_parse(VARDATA_ANY(options), (int) VARSIZE_ANY_EXHDR(options),
						 &read);
	*params = read;
	return options;
}

void
ribbon_buildparams_keep_options(struct varlena **kept,
								const struct varlena *options,
								MemoryContext context)
{
	size_t size = VARSIZE_ANY(options);
	struct varlena *text = MemoryContextAlloc(context, size);

	memcpy(text, options, size);
	if (*kept != NULL)
		pfree(*kept);
	*kept = text;
}

void
ribbon_buildsite_read_options(FunctionCallInfo fcinfo, BuildSite *site, int arg)
{
	struct varlena *options = ribbon_buildparams_read_options(fcinfo,
															  &site->params,
															  arg,
															  site->options);

	if (likely(options == NULL))
		return;
	ribbon_buildparams_keep_options(&site->options, options,
									fcinfo->flinfo->fn_mcxt);
	ribbon_keyhash_seed(&site->key_type, site->params.seed);
}

BuildState *
ribbon_buildsite_new_state(BuildSite *site, MemoryContext context)
{
	BuildState *state = ribbon_buildstate_create(context, &site->params);
	RibbonValueType *value_type = &site->value_type;

	if (!site->params.map)
		return state;
	if (value_type->value_class == RIBBON_VALUE_DICTIONARY)
		ribbon_valuetype_renew(value_type);
	ribbon_buildvalues_init(state, value_type->value_class, value_type->head,
							value_type->nhead);
	return state;
}
