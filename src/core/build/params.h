/*
 * params.h - from key count and target rate to slots, result bits and
 * buckets
 *
 * Every empirical constant of the library is in params.c, with where it comes
 * from.  None of them is part of the format: what they lead to is written into
 * the filter's header.
 */
#ifndef RIBBON_PARAMS_H
#define RIBBON_PARAMS_H

#include "format/buckets.h"
#include "format/result_bits.h"

/* The ribbon width that RIBBON_DEFAULT_WIDTH stands for. */
extern int ribbon_params_default_width(const RibbonParams *params,
									   uint64_t nkeys);

/* The width that a homogeneous filter takes for this one: it may be too small. */
extern int ribbon_params_homog_width(int width, double fpr);

/* The scheme that costs fewest bits at this number of columns. */
extern unsigned ribbon_params_scheme(int width, RibbonResultBits result_bits);

/* Had these keys better go to the last layer than to one more before it? */
extern bool ribbon_params_is_last_layer(int width, unsigned scheme,
										RibbonResultBits result_bits,
										uint64_t nkeys);

/* Slots of a bumped layer, slightly different for each attempt (0, 1, ...). */
extern uint64_t ribbon_params_layer_slots(int width, unsigned scheme,
										  uint64_t nkeys, unsigned attempt);

/* So many 2048ths more or fewer wide keys change the FPR by at most 0.2 %. */
#define RIBBON_NUDGE 4

/* More empty slots than this in a small layer: worth another attempt. */
extern uint64_t ribbon_params_empty_limit(int width, unsigned scheme,
										  uint64_t nslots, unsigned attempt);

/* More bumped keys than this are no accident. */
extern uint64_t ribbon_params_bumped_limit(int width, unsigned scheme,
										   uint64_t nkeys);

/* Spare slots of a zone to begin with. */
extern uint64_t ribbon_params_zone_spare(unsigned width, uint64_t nkeys);

/* Slots of a homogeneous filter. */
extern uint64_t ribbon_params_homog_slots(int width, double fpr,
										  uint64_t nkeys);

/* The P that so many keys have in so many slots, in a set that is like most. */
extern double ribbon_params_homog_dependence(int width, uint64_t nkeys,
											 uint64_t nslots);

/* The kind that takes fewer bytes for so many keys. */
extern RibbonKind ribbon_params_smaller_kind(const RibbonParams *params,
											 uint64_t nkeys);

#endif /* RIBBON_PARAMS_H */
