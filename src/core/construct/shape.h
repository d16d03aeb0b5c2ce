/*
 * shape.h - what a plane is asked to be; what its systems are then like, and
 * how large
 *
 * In a BuRR plane width and buckets follow from the columns of a slot, and from
 * these and the number of keys a layer's slots, and what is usual in it
 * (shape.c); in a homogeneous filter width and slots from the rate
 * (homog_size.c).  Constants that were found by measuring say where they come
 * from.
 */
#ifndef RIBBON_SHAPE_H
#define RIBBON_SHAPE_H

#include "format/plane.h"

/* What a plane is asked to be. */
typedef struct RibbonPlaneParams
{
	int width; /* as in RibbonParams: RIBBON_DEFAULT_WIDTH is 64 or 128 */
	RibbonResultBits check;
	double fpr; /* of a homogeneous filter, which may need more check bits */
	unsigned value_bits;
	bool in_map; /* of a map, or of an exact set's bits; else of a filter */
} RibbonPlaneParams;

/*
 * Set what the layers of a BuRR plane are like, whose nkeys are set: columns,
 * width, and of the width's bucket schemes the one that takes fewest bits.
 */
extern void ribbon_shape_choose(const RibbonPlaneParams *params,
								RibbonPlane *plane);

/* Set the width, and the scheme of it that takes fewest bits. */
extern void ribbon_shape_set_width(RibbonPlane *plane, unsigned width);

/*
 * Make as many keys of 2048 wide as are asked for, or up to RIBBON_NUDGE less,
 * so that layer 0, of nslots slots, wastes little.  That changes the FPR by 0.2
 * % at most.
 */
#define RIBBON_NUDGE 4

extern void ribbon_shape_nudge(RibbonPlane *plane, unsigned wide,
							   uint64_t nslots);

/*
 * Do nkeys keys become the last layer: because there can be no more bumped
 * layers, or because they are smaller so?  wide is how many of 2048 keys
 * were asked to be wide; in the plane they may be a few less (RIBBON_NUDGE).
 */
extern bool ribbon_shape_is_last_layer(const RibbonPlane *plane, unsigned wide,
									   uint64_t nkeys);

/*
 * The slots of a bumped layer, m = (1 + epsilon) n with epsilon < 0; a few less
 * for each attempt (0, 1, ...).
 */
extern uint64_t ribbon_shape_layer_slots(const RibbonPlane *plane,
										 uint64_t nkeys, unsigned attempt);

/*
 * The most slots of the first layer that may stay empty if a map is to take no
 * more than 0.3 % and 16 bytes beside its result bits, and a filter 0.3 % and
 * 12 bytes; with more, another size is tried.
 */
extern uint64_t ribbon_shape_empty_limit(const RibbonPlane *plane,
										 uint64_t nkeys);

/*
 * The most bytes of a map's plane, with its own header and the head of a
 * filter, if the map is to take no more than 0.3 % and 16 bytes beside its
 * result bits.  wide is as above.
 */
extern uint64_t ribbon_shape_map_limit(const RibbonPlane *plane, unsigned wide);

/* How many slots between the ends of a layer are expected to stay empty. */
extern uint64_t ribbon_shape_empty_expected(const RibbonPlane *plane,
											uint64_t nkeys);

/* The most slots of a small layer that chance leaves empty. */
extern uint64_t ribbon_shape_most_empty(const RibbonPlane *plane,
										uint64_t nslots);

/* The most keys that a layer bumps by chance; more of them are suspicious. */
extern uint64_t ribbon_shape_bumped_limit(const RibbonPlane *plane,
										  uint64_t nkeys);

/* The width of a homogeneous filter for which this one, or none, was asked. */
extern unsigned ribbon_homog_width(int asked, double fpr);

/* Its slots for so many distinct keys: those that make the filter smallest. */
extern uint64_t ribbon_homog_slots(unsigned width, double fpr, uint64_t nkeys);

/*
 * An estimate of P, the probability that a non-member's equation follows from
 * the keys', for random sets of nkeys keys in nslots slots.
 */
extern double ribbon_homog_dependence(unsigned width, uint64_t nkeys,
									  uint64_t nslots);

#endif /* RIBBON_SHAPE_H */
