/*
 * inspect.h - what a header says of its plane, for the rest of the core
 */
#ifndef RIBBON_INSPECT_H
#define RIBBON_INSPECT_H

#include "format/plane.h"

/* As ribbon_fpr, of one plane. */
extern double ribbon_inspect_fpr(const RibbonPlane *plane);

#endif /* RIBBON_INSPECT_H */
