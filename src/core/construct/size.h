/*
 * size.h - how many bytes a part of a filter will take, before there are keys
 */
#ifndef RIBBON_SIZE_H
#define RIBBON_SIZE_H

#include "construct/params.h"

/*
 * The bytes that the body of a BuRR plane, with its own byte, can be expected
 * to take, as ribbon_expected_bytes; 0 without columns.
 */
extern uint64_t ribbon_size_of_plane(const RibbonPlaneParams *params,
									 uint64_t nkeys);

#endif /* RIBBON_SIZE_H */
