/*
 * output.h - the bytes of a filter while its layers are being solved
 *
 * The header comes first, but its size is only known when all layers are done,
 * and so are the thresholds of later layers, which come next.  So an output buffer
 * leaves room for both, takes the slots of one system after the other in
 * the order of the format, and closes the gap in the end: a filter of 1 GB is
 * in memory once.
 *
 *----------
 *	 output buffer	 |headroom|  room for header and thresholds |slots 0|slots 1|zones|
 *	 filter	 |headroom|header|thresholds 0|thresholds 1|slots 0|slots 1|zones|
 *----------
 */
#ifndef RIBBON_OUTPUT_H
#define RIBBON_OUTPUT_H

#include "base/alloc.h"

typedef struct RibbonOutput
{
	uint8_t *buffer;
	size_t headroom; /* bytes before the filter, left alone */
	size_t first;	 /* slots begin here */
	size_t used;	 /* bytes of slots */
	size_t size;	 /* bytes of the buffer */
	uint8_t *thresholds[RIBBON_MAX_LAYERS];
	size_t nthresholds[RIBBON_MAX_LAYERS]; /* bytes */
	int nlayers;
} RibbonOutput;

/*
 * Begin one of about so many bytes of thresholds and slots.
 * ribbon_output_free is right in any case.  RIBBON_OUT_OF_MEMORY.
 */
extern RibbonStatus ribbon_output_create(const RibbonEnv *env,
										 RibbonOutput *output, size_t headroom,
										 uint64_t nthresholds, uint64_t nslots);

/*
 * Memory for one more layer: its thresholds, and its slots, zeroed and good
 * until the next call.  RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_output_add_layer(const RibbonEnv *env,
											RibbonOutput *output,
											uint64_t nthresholds,
											uint64_t nslots, uint8_t **slots);

/* Drop the layer that was added last. */
extern void ribbon_output_drop_layer(const RibbonEnv *env, RibbonOutput *output,
									 size_t nslots);

/* Add the slots of a zone.  RIBBON_OUT_OF_MEMORY. */
extern RibbonStatus ribbon_output_add_slots(const RibbonEnv *env,
											RibbonOutput *output,
											const uint8_t *slots,
											size_t nslots);

/*
 * Make the filter of it, with this header.  *bytes is the buffer, headroom
 * included, and the caller's; *nbytes counts from behind the headroom.
 * RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_output_finish(const RibbonEnv *env,
										 RibbonOutput *output,
										 const uint8_t *header,
										 size_t header_bytes, uint8_t **bytes,
										 size_t *nbytes);

extern void ribbon_output_free(const RibbonEnv *env, RibbonOutput *output);

#endif /* RIBBON_OUTPUT_H */
