/*
 * error.c - what the core returns, as the server's errors
 */
#include "server/server.h"

#include "common/shortest_dec.h"
#include "utils/memutils.h"
#include "values/values.h"

#define VALUES CppAsString2(RIBBON_DICTIONARY_VALUES)
#define NUMBER_VALUES \
	"Number the values in a table of their own, and map keys to these numbers."

void
ribbon_error_corrupt(RibbonSqlType type, const char *objection)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("stored %s is corrupt", ribbon_sqltype_name(type)),
			 errdetail("The bytes were rejected: %s.", objection)));
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
ribbon_error_check_text(RibbonSqlType type, size_t nbytes)
{
	if (nbytes > RIBBON_MAX_TEXT_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%s of %zu bytes is too large for text output",
						ribbon_sqltype_name(type), nbytes),
				 errhint("Transfer it in binary format, as in COPY ... WITH (FORMAT binary).")));
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

/*
 * The errors of those statuses that say nothing about bytes.  The name of the
 * type stands where %s does.
 */
static const struct
{
	RibbonStatus status;
	int code;
	const char *message;
	const char *detail;
	const char *hint;
} errors[] = {
	{RIBBON_OUT_OF_MEMORY, ERRCODE_OUT_OF_MEMORY, "out of memory",
	 "A %s could not be built.", NULL},
	{RIBBON_NOT_LARGER, ERRCODE_INVALID_PARAMETER_VALUE,
	 "false-positive rate is lower than the filter's own", NULL,
	 "A lower rate needs the keys: build the filter anew."},
	{RIBBON_IS_EXACT, ERRCODE_FEATURE_NOT_SUPPORTED,
	 "exact set cannot be shrunk",
	 "Every bit of it is needed for it to be right about its universe.",
	 "Build a filter of its members at the higher rate, with ribbon_build."},
	{RIBBON_BAD_PARAMS, ERRCODE_INVALID_PARAMETER_VALUE,
	 "invalid %s parameters", NULL, NULL},
	{RIBBON_BAD_FILE, ERRCODE_DATA_CORRUPTED,
	 "temporary file does not have the keys that were written to it", NULL,
	 NULL},
	{RIBBON_TOO_MANY_TEXTS, ERRCODE_PROGRAM_LIMIT_EXCEEDED,
	 "a %s cannot have more than " VALUES " different values of this type",
	 NULL, NUMBER_VALUES},
	{RIBBON_TEXTS_TOO_LARGE, ERRCODE_PROGRAM_LIMIT_EXCEEDED,
	 "the different values of a %s cannot have more than 512 MB of text", NULL,
	 NUMBER_VALUES},
	{RIBBON_RANGE_TOO_WIDE, ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
	 "values of ribbon_map are out of range",
	 "Their range takes all 64 bits, which leaves no code for NULL.",
	 "Cast the values to text, if at most " VALUES " of them are different."},
	{RIBBON_NO_SEED, ERRCODE_PROGRAM_LIMIT_EXCEEDED,
	 "keys of an exact set have the same hash under each seed that was tried",
	 NULL, "Such keys do not come by chance: they have been chosen for it."},
};

void
ribbon_error_throw(RibbonSqlType type, RibbonStatus status)
{
	const char *name = ribbon_sqltype_name(type);

	for (size_t i = 0; i < lengthof(errors); i++)
		if (errors[i].status == status)
			ereport(ERROR,
					(errcode(errors[i].code), errmsg(errors[i].message, name),
					 errors[i].detail ? errdetail(errors[i].detail, name) : 0,
					 errors[i].hint ? errhint("%s", errors[i].hint) : 0));
	if (status == RIBBON_TRUNCATED || status == RIBBON_BAD_VERSION ||
		status == RIBBON_CORRUPT ||
		(status >= RIBBON_BAD_LAYERS && status <= RIBBON_BAD_END))
		ribbon_error_corrupt(type, ribbon_status_text(status));
	elog(ERROR, "unexpected ribbon status %d", (int) status);
}
