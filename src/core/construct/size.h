/*
 * size.h - how many bytes a part of a filter will take, before there are keys
 */
#ifndef RIBBON_SIZE_H
#define RIBBON_SIZE_H

#include "format/result_bits.h"

#include <stdint.h>

/*
 * The bytes that the body of a BuRR plane of this ribbon width (32, 64, 128),
 * with its own byte, can be expected to take if its slots have so many columns:
 * as ribbon_expected_bytes.
 */
extern uint64_t ribbon_size_of_body(int width, RibbonResultBits columns,
									uint64_t nkeys);

#endif /* RIBBON_SIZE_H */
