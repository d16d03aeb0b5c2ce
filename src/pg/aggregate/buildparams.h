/*
 * buildparams.h - what to build of a group: the same for every row of it
 *
 * Nothing here knows the server, nor does keysbytes.c, which reads such
 * parameters: a fuzzer can give it any bytes.
 */
#ifndef RIBBON_BUILDPARAMS_H
#define RIBBON_BUILDPARAMS_H

#include "ribbon.h"

typedef struct BuildParams
{
	union
	{
		double fpr;	   /* of a map it may be 1 */
		int64_t as_of; /* of an exact set, which has no rate */
	};
	int key_class; /* the classes of its parts may be known later */
	uint32_t seed; /* of a map, else 0 */
	uint8_t kind;  /* a RibbonKind; RIBBON_BURR for a map */
	uint8_t width;
	uint8_t coding;	   /* of a map, a RibbonCoding, else 0 */
	uint8_t aggregate; /* which one builds: a RibbonAggregate */
	bool has_as_of;	   /* of an exact set; if not, its as_of is 0 */
} BuildParams;

/* Are kind, width, rate and key class ones to build a filter with? */
static inline bool
ribbon_buildparams_are_valid(const BuildParams *params)
{
	RibbonParams core = {.kind = (RibbonKind) params->kind,
						 .width = params->width,
						 .fpr = params->fpr,
						 .key_class = params->key_class};

	return ribbon_params_check(&core) == RIBBON_OK;
}

#endif /* RIBBON_BUILDPARAMS_H */
