/*
 * burr.h - bumped ribbon: overloaded layers, and a last layer without bumping
 */
#ifndef RIBBON_BURR_H
#define RIBBON_BURR_H

#include "construct/hashes.h"
#include "format/format.h"

/* What is to be around a plane in its buffer. */
typedef struct RibbonRoom
{
	size_t head; /* bytes in front of all */
	size_t tail; /* bytes behind all */
	RibbonRole role;
	RibbonPlane *plane; /* not NULL: the plane is copied here */
} RibbonRoom;

/*
 * Is there to be a head, and what follows it, in front of the plane's header?
 * Only of a first plane, and not if somebody wants to put it together himself.
 */
static inline bool
ribbon_room_has_head(const RibbonRoom *room)
{
	return room->role == RIBBON_FIRST && room->plane == NULL;
}

/*
 * Build a BuRR filter [BuRR 1.1, 7] of sorted, distinct hashes, one at least.
 * params has been checked, and its width is not RIBBON_DEFAULT_WIDTH.
 *
 * If hashes are records, it is a plane of a map: with value bits as their
 * supply says, and check bits for params->fpr, which may be 1 (no check bits).
 * A slot then has one bit at least, and RIBBON_MAX_COLUMNS at most.
 *
 * If hashes owns its array or store, that is freed or closed, and the array may
 * be overwritten before.  *bytes, *nbytes and errors are those of ribbon_build.
 */
extern RibbonStatus ribbon_burr_build(const RibbonEnv *env,
									  const RibbonParams *params,
									  RibbonHashes *hashes,
									  const RibbonRoom *room, uint8_t **bytes,
									  size_t *nbytes);

#endif /* RIBBON_BURR_H */
