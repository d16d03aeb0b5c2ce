/*
 * params.h - from key count and target rate to slots, columns and buckets
 *
 * Every empirical constant of the library is in params.c, with where it comes
 * from.  None of them is part of the format: what they lead to is written into the
 * filter's header.  The bucket schemes are (format.md, section 4).
 */
#ifndef RIBBON_PARAMS_H
#define RIBBON_PARAMS_H

#include "region.h"

/* Columns for this FPR: the nearest, within 0.025 %, that 2048ths allow. */
extern RibbonColumns ribbon_params_columns(double fpr);

/* The ribbon width that RIBBON_DEFAULT_WIDTH stands for. */
extern int	ribbon_params_default_width(double fpr);

/* Bucket schemes of a width, 0 .. nschemes - 1; their table is format. */
extern unsigned ribbon_params_nschemes(void);
extern RibbonBuckets ribbon_params_buckets(int width, unsigned scheme);

/* The scheme that costs fewest bits at this number of columns. */
extern unsigned ribbon_params_scheme(int width, RibbonColumns columns);

/* Slots of a bumped layer for nkeys keys; 0: use the last layer. */
extern uint64_t ribbon_params_layer_slots(int width, unsigned scheme,
										  uint64_t nkeys);

/* More bumped keys than this are no accident. */
extern uint64_t ribbon_params_bumped_limit(uint64_t nkeys, uint64_t nslots);

/* Last layer: spare slots to begin with, and seeds to try for each size. */
extern uint64_t ribbon_params_zone_spare(uint64_t nkeys);
extern unsigned ribbon_params_zone_seeds(uint64_t nkeys);

/* A homogeneous filter of at most so many keys has its P counted (span.h). */
#define RIBBON_COUNT_SPAN_KEYS 262144

/* Slots of a homogeneous filter, and the P to expect with them. */
extern uint64_t ribbon_params_homog_slots(int width, double fpr,
										  uint64_t nkeys);
extern double ribbon_params_homog_dependence(int width, uint64_t nkeys,
											 uint64_t nslots);

/* The kind that takes fewer bytes for so many keys. */
extern RibbonKind ribbon_params_smaller_kind(const RibbonParams *params,
											 uint64_t nkeys);

#endif							/* RIBBON_PARAMS_H */
