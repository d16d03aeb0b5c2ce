/*
 * status.c - the text of each RibbonStatus
 */
#include "ribbon_core.h"

static const char *const texts[RIBBON_NSTATUS] = {
	[RIBBON_OK] = "success",
	[RIBBON_OUT_OF_MEMORY] = "out of memory",
	[RIBBON_INTERRUPTED] = "interrupted",
	[RIBBON_BAD_FPR] =
		"the false-positive rate must be 2^-32 to 0.5; of a map or exact set it may be 1",
	[RIBBON_BAD_PARAMS] = "a parameter is not valid",
	[RIBBON_NOT_LARGER] = "the false-positive rate is below the filter's own",
	[RIBBON_TRUNCATED] = "the value ends too early",
	[RIBBON_BAD_VERSION] = "unknown format version",
	[RIBBON_CORRUPT] = "the value contradicts itself",
	[RIBBON_CONFLICT] = "a key has two values",
	[RIBBON_NO_SEED] = "keys have the same hash under each seed that was tried",
	[RIBBON_BAD_FILE] =
		"a temporary file does not contain what was written to it",
	[RIBBON_IS_EXACT] = "an exact set cannot be shrunk",
	[RIBBON_BAD_LAYERS] = "a layer has as many slots as keys, or more",
	[RIBBON_BAD_THRESHOLDS] =
		"thresholds do not bump the keys that the header counts",
	[RIBBON_BAD_PADDING] = "bits that are not in use are set",
	[RIBBON_BAD_RATE] =
		"the slots do not have the false-positive rate that the header states",
	[RIBBON_BAD_CODES] = "the values of codes are not in order",
	[RIBBON_BAD_VALUE_CLASS] = "its value class is unknown",
	[RIBBON_BAD_VALUES] = "its value class calls for a dictionary, or for none",
	[RIBBON_BAD_DICTIONARY] = "its dictionary is malformed",
	[RIBBON_BAD_COUNT] = "its dictionary has more values than there are codes",
	[RIBBON_BAD_ORDER] = "its dictionary is out of order",
	[RIBBON_BAD_TEXT] = "its dictionary is not in UTF-8",
	[RIBBON_BAD_END] = "there is something behind the end of its dictionary",
	[RIBBON_TOO_MANY_TEXTS] =
		"a map cannot have more than 65536 different texts",
	[RIBBON_TEXTS_TOO_LARGE] =
		"the different texts of a map cannot have more than 512 MB",
	[RIBBON_SAME_WORD] = "two texts, or a text and NULL, have the same hash",
	[RIBBON_NUMBER_LIKE_NULL] =
		"value -7332882250841393536 is out of range where there are NULLs",
	[RIBBON_RANGE_TOO_WIDE] =
		"the range of the values takes all 64 bits, which leaves no code for NULL",
};

const char *
ribbon_status_text(RibbonStatus status)
{
	return (unsigned) status < RIBBON_NSTATUS ? texts[status] :
												"unknown status";
}
