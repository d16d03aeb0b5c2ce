/*
 * params.h - what a plane is asked to be: its columns, and the bytes they will
 * take; and the slots of zones and of homogeneous systems
 *
 * The constants that were found by measuring are in params.c, and for layers in
 * shape.c, with where each comes from.  None of them is part of the format: the
 * sizes that follow from them are stored in the filter's header.
 *
 * width is a ribbon width, 32, 64 or 128; nkeys counts distinct keys.
 */
#ifndef RIBBON_PARAMS_H
#define RIBBON_PARAMS_H

#include "format/result_bits.h"
#include "ribbon_core.h"

#include <stdint.h>

/*
 * The result bits for a false-positive rate; none for a map's rate of 1.  Of an
 * exact set's filter it may lie between 0.5 and 1: only wide keys have one.
 */
extern RibbonResultBits ribbon_check_bits_for(double fpr);

/* What a plane is asked to be. */
typedef struct RibbonPlaneParams
{
	int width;	/* as in RibbonParams: RIBBON_DEFAULT_WIDTH is 64 or 128 */
	double fpr; /* of its check bits; 1: there are none */
	unsigned value_bits;
	bool in_map; /* of a map, or of an exact set's bits; else of a filter */
} RibbonPlaneParams;

/* All columns of its slots; {0, 0}: it stores nothing. */
extern RibbonResultBits ribbon_params_columns(const RibbonPlaneParams *params);

/*
 * The bytes that the body of a BuRR plane, with its own byte, can be expected
 * to take, as ribbon_expected_bytes; 0 without columns (size.c).
 */
extern uint64_t ribbon_size_of_plane(const RibbonPlaneParams *params,
									 uint64_t nkeys);

/*
 * A build may make up to this many keys of 2048 fewer wide than the FPR says,
 * which changes the FPR by 0.2 %.
 */
#define RIBBON_NUDGE 4

/* Slots of a zone minus its keys, for the first tries. */
extern uint64_t ribbon_params_zone_spare(unsigned width, unsigned ncolumns,
										 uint64_t nkeys);

/* The ribbon width of a homogeneous filter, of which this one was asked for. */
extern unsigned ribbon_params_homog_width(int asked, double fpr);

/* The slots of a homogeneous filter: those that make it smallest. */
extern uint64_t ribbon_params_homog_slots(unsigned width, double fpr,
										  uint64_t nkeys);

/*
 * An estimate of P, the probability that a non-member's equation follows from
 * the keys', for random sets of nkeys keys in nslots slots.
 */
extern double ribbon_params_homog_dependence(unsigned width, uint64_t nkeys,
											 uint64_t nslots);

#endif /* RIBBON_PARAMS_H */
