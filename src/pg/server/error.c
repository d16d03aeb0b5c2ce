/*
 * error.c - what the core returns, as the server's errors
 */
#include "server/server.h"

#include "common/shortest_dec.h"

void
ribbon_error_corrupt(RibbonSqlType type, const char *objection)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("stored %s is corrupt", ribbon_sqltype_name(type)),
			 errdetail("The bytes were rejected: %s.", objection)));
	pg_unreachable();
}

bool
ribbon_error_invalid(RibbonSqlType type, const char *objection, Node *escontext)
{
	ereturn(escontext, false,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid %s", ribbon_sqltype_name(type)),
			 errdetail("The bytes were rejected: %s.", objection)));
}

void
ribbon_error_text_too_large(RibbonSqlType type, size_t nbytes)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("%s of %zu bytes is too large for text output",
					ribbon_sqltype_name(type), nbytes),
			 errhint("Transfer it in binary format, as in COPY ... WITH (FORMAT binary).")));
	pg_unreachable();
}

void
ribbon_error_check_fpr(double fpr, bool or_one)
{
	if (ribbon_is_fpr(fpr) || (or_one && fpr == 1))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("false-positive rate %s is not between 2^-32 (%g) and %g%s",
					double_to_shortest_decimal(fpr), RIBBON_MIN_FPR,
					RIBBON_MAX_FPR, or_one ? ", nor 1" : ""),
			 or_one ?
				 errdetail("With 1 the map has no check bits, and answers for any key.") :
				 0,
			 fpr > RIBBON_MAX_FPR && fpr <= 100 * RIBBON_MAX_FPR ?
				 errhint("%g %% is %g.", fpr, fpr / 100) :
				 0));
}

void
ribbon_error_throw(RibbonSqlType type, RibbonStatus status)
{
	switch (status)
	{
		case RIBBON_OUT_OF_MEMORY:
			ereport(ERROR,
					(errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
					 errdetail("A %s could not be built.",
							   ribbon_sqltype_name(type))));
			break;
		case RIBBON_NOT_LARGER:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("false-positive rate is lower than the filter's own"),
					 errhint("A lower rate needs the keys: build the filter anew.")));
			break;
		case RIBBON_IS_EXACT:
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("exact set cannot be shrunk"),
					 errdetail("Every bit of it is needed for it to be right about its universe."),
					 errhint("Build a filter of its members at the higher rate, with ribbon_build.")));
			break;
		case RIBBON_BAD_PARAMS:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("invalid %s parameters",
							ribbon_sqltype_name(type))));
			break;
		case RIBBON_TRUNCATED:
		case RIBBON_BAD_VERSION:
		case RIBBON_CORRUPT:
		case RIBBON_BAD_LAYERS ... RIBBON_BAD_END: /* and all between */
			ribbon_error_corrupt(type, ribbon_status_text(status));
			break;
		case RIBBON_BAD_FILE:
			ereport(ERROR,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("temporary file does not have the keys that were written to it")));
			break;
		case RIBBON_CONFLICT:
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("keys of an exact set have the same hash under each seed that was tried"),
					 errhint("Such keys do not come by chance: somebody looked for them.")));
			break;
		default:
			elog(ERROR, "unexpected ribbon status %d", (int) status);
			break;
	}
	pg_unreachable();
}
