/*
 * burr.h - bumped ribbon: overloaded layers, and a last layer without bumping
 */
#ifndef RIBBON_BURR_H
#define RIBBON_BURR_H

#include "construct/bytes.h"
#include "format/format.h"
#include "set/set.h"
#include "solve/supply.h"

/* Where a plane is to be in its buffer, and what is to stand before it. */
typedef struct RibbonRoom
{
	size_t head;		/* bytes in front that are left to the caller */
	size_t tail;		/* bytes behind, likewise */
	bool has_head;		/* write head and dictionary in front of the header? */
	RibbonRole role;	/* how the header begins */
	RibbonPlane *plane; /* unless NULL: is set to the plane that was built, for
						 * the caller to write its header, and no header is */
} RibbonRoom;

/*
 * Build a BuRR filter [BuRR 1.1, 7] of sorted, distinct hashes, one at least.
 * params has been checked, and its width is not RIBBON_DEFAULT_WIDTH.
 *
 * Of records it is a plane of a map: with value bits as their supply says, and
 * check bits for params->fpr, which may be 1 (no check bits).  A slot then has
 * one bit at least, and RIBBON_MAX_COLUMNS at most.  Of hashes supply is NULL.
 *
 * On RIBBON_OK *bytes is set, and has a buffer that the caller frees.  Errors:
 * those of ribbon_build.
 */
extern RibbonStatus ribbon_burr_build(const RibbonEnv *env,
									  const RibbonParams *params,
									  const RibbonSet *hashes,
									  const RibbonSupply *supply,
									  const RibbonRoom *room,
									  RibbonBytes *bytes);

#endif /* RIBBON_BURR_H */
