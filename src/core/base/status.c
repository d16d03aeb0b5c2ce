/*
 * status.c - the text of each RibbonStatus
 */
#include "ribbon.h"

const char *
ribbon_status_text(RibbonStatus status)
{
	switch (status)
	{
		case RIBBON_OK:
			return "success";
		case RIBBON_OUT_OF_MEMORY:
			return "out of memory";
		case RIBBON_INTERRUPTED:
			return "interrupted";
		case RIBBON_BAD_FPR:
			return "the false-positive rate must be between 2^-32 and 0.5";
		case RIBBON_BAD_PARAMS:
			return "unknown kind, ribbon width or key class";
		case RIBBON_NOT_LARGER:
			return "the false-positive rate is below the filter's own";
		case RIBBON_TRUNCATED:
			return "the value ends too early";
		case RIBBON_BAD_VERSION:
			return "unknown format version";
		case RIBBON_CORRUPT:
			return "the value contradicts itself";
		case RIBBON_CONFLICT:
			return "a key has two values";
		case RIBBON_BAD_STORE:
			return "a store gave another number of hashes than it counted";
		case RIBBON_IS_EXACT:
			return "an exact set cannot be shrunk";
		case RIBBON_BAD_LAYERS:
			return "a layer has as many slots as keys, or more";
		case RIBBON_BAD_THRESHOLDS:
			return "thresholds do not bump the keys that the header counts";
		case RIBBON_BAD_PADDING:
			return "bits that are not in use are set";
		case RIBBON_BAD_RATE:
			return "the slots do not have the false-positive rate that the header states";
		case RIBBON_BAD_CODES:
			return "the values of codes are not in order";
		case RIBBON_NSTATUS:
			break;
	}
	return "unknown status";
}
