/*
 * inspect.h - describe, check and shrink an opened filter
 *
 * This room has what ribbon_core.h offers of opened filters, but for probes:
 *
 *	 inspect.c	false-positive rate and statistics, from the headers alone
 *	 check.c	are the bytes those of a filter that was built or shrunk?
 *	 shrink.c	a higher false-positive rate for fewer bytes
 */
#ifndef RIBBON_INSPECT_H
#define RIBBON_INSPECT_H

#include "format/plane.h"

/* As ribbon_fpr, of one plane. */
extern double ribbon_inspect_plane_fpr(const RibbonPlane *plane);

#endif /* RIBBON_INSPECT_H */
