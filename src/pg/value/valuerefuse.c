/*
 * valuerefuse.c - types whose values cannot be stored as text
 *
 * Texts are made and read under settings that are always the same
 * (valuetext.c), so no code of users may run meanwhile: it would see the
 * settings, and a function with the rights of its owner would hand them to
 * whoever calls it.  Output functions of base types are C, and only superusers
 * make them.  But to read a value may run the constraints of a domain, and the
 * canonical function of a range type.  Therefore
 *
 *	 an array of a domain	is read as an array of the type beneath it, and the
 *							constraints are checked when the settings are the
 *							caller's again;
 *	 other domains inside, composite types, and ranges with a canonical function
 *							that is not in C are refused.
 *
 * Refused, too, is what cannot be read back from its text.
 */
#include "value/valuetype.h"

#include "access/htup_details.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#define NOT_READ \
	"Its values cannot be read from text.", "Cast the value to text."

/* What cannot be read back, and what to do. */
static const struct
{
	Oid type;
	const char *reason;
	const char *hint;
} refused_types[] = {
	{REGPROCOID, "Several functions can have the same name.",
	 "Cast the value to regprocedure."},
	{REGOPEROID, "Several operators can have the same name.",
	 "Cast the value to regoperator."},
	{PG_NODE_TREEOID, NOT_READ},
	{PG_NDISTINCTOID, NOT_READ},
	{PG_DEPENDENCIESOID, NOT_READ},
	{PG_MCV_LISTOID, NOT_READ},
	{PG_BRIN_BLOOM_SUMMARYOID, NOT_READ},
	{PG_BRIN_MINMAX_MULTI_SUMMARYOID, NOT_READ},
	{GTSVECTOROID, NOT_READ},
};

void
ribbon_valuerefuse_throw(Oid type, const char *reason, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("type %s cannot be the type of the values of a ribbonmap",
					format_type_be(type)),
			 reason != NULL ? errdetail("%s", reason) : 0,
			 errhint("%s", hint)));
}

static bool
is_in_c(Oid function)
{
	HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Oid language;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	language = ((Form_pg_proc) GETSTRUCT(tuple))->prolang;
	ReleaseSysCache(tuple);
	return language == INTERNALlanguageId || language == ClanguageId;
}

static void
check_range(Oid type, Oid stored)
{
	static const char hint[] =
		"Store lower(value) and upper(value), in a map each.";
	TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_RANGE_INFO);
	Oid bound = entry->rngelemtype->type_id;

	if (OidIsValid(entry->rng_canonical_finfo.fn_oid) &&
		!is_in_c(entry->rng_canonical_finfo.fn_oid))
		ribbon_valuerefuse_throw(stored,
								 "Its ranges have a canonical function that is not in C.",
								 hint);
	if (getBaseType(bound) != bound || OidIsValid(get_element_type(bound)))
		ribbon_valuerefuse_throw(stored,
								 "It has ranges of a domain, or of arrays.",
								 hint);
	ribbon_valuerefuse_check(bound, stored);
}

void
ribbon_valuerefuse_check(Oid type, Oid stored)
{
	for (int i = 0; i < (int) lengthof(refused_types); i++)
		if (refused_types[i].type == type)
			ribbon_valuerefuse_throw(stored, refused_types[i].reason,
									 refused_types[i].hint);
	switch (get_typtype(type))
	{
		case TYPTYPE_COMPOSITE:
			ribbon_valuerefuse_throw(stored,
									 "It is a composite type, or has one inside.",
									 "Store row_to_json(value), or a map for each of its columns.");
		case TYPTYPE_RANGE:
			check_range(type, stored);
			break;
		case TYPTYPE_MULTIRANGE:
			check_range(get_multirange_range(type), stored);
			break;
		default:
			break;
	}
}
