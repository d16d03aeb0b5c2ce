/*
 * inspect.h - what the header of a plane tells
 */
#ifndef RIBBON_INSPECT_H
#define RIBBON_INSPECT_H

#include "format/plane.h"

/* As ribbon_fpr. */
extern double ribbon_inspect_fpr(const RibbonPlane *plane);

#endif /* RIBBON_INSPECT_H */
