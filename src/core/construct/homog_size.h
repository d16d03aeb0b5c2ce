/*
 * homog_size.h - the ribbon width of a homogeneous filter, and its slots
 */
#ifndef RIBBON_HOMOG_SIZE_H
#define RIBBON_HOMOG_SIZE_H

#include <stdint.h>

/* The ribbon width of a filter for which this one, or none, was asked. */
extern unsigned ribbon_homog_width(int asked, double fpr);

/* The slots for so many distinct keys: those that make the filter smallest. */
extern uint64_t ribbon_homog_slots(unsigned width, double fpr, uint64_t nkeys);

/*
 * An estimate of P, the probability that a non-member's equation follows from
 * the keys', for random sets of nkeys keys in nslots slots.
 */
extern double ribbon_homog_dependence(unsigned width, uint64_t nkeys,
									  uint64_t nslots);

#endif /* RIBBON_HOMOG_SIZE_H */
