/*
 * exact.h - a filter that is right about every key of a universe
 */
#ifndef RIBBON_CONSTRUCT_EXACT_H
#define RIBBON_CONSTRUCT_EXACT_H

#include "construct/bytes.h"
#include "set/set.h"

/*
 * Build an exact set of sorted, distinct records.  params has been checked.  On
 * RIBBON_OK *bytes is set; after a failure there is still ribbon_bytes_discard
 * to be called.  Errors: those of ribbon_build.
 */
extern RibbonStatus ribbon_exact_build(const RibbonEnv *env,
									   const RibbonParams *params,
									   const RibbonSet *records,
									   size_t headroom, RibbonBytes *bytes);

#endif /* RIBBON_CONSTRUCT_EXACT_H */
