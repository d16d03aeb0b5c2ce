/*
 * output.h - the bytes of a filter while its layers are being solved
 *
 * The first bytes of a filter are its header and all thresholds, whose size is
 * known only when the last layer is solved.  So the output buffer leaves room
 * for these, and takes the slots of one ribbon system after the other behind
 * it, in the order of the format.  In the end the slots move to the left, and
 * the buffer becomes the filter's.  So a filter of 1 GB is in memory once.
 *
 *----------
 *	 buffer	 |headroom| room for header, thresholds   |slots 0|slots 1|zones|
 *	 filter	 |headroom|header|thresh. 0|thresh. 1|slots 0|slots 1|zones|
 *----------
 */
#ifndef RIBBON_OUTPUT_H
#define RIBBON_OUTPUT_H

#include "base/alloc.h"
#include "format/plane.h"

typedef struct RibbonOutput
{
	uint8_t *buffer;
	size_t headroom; /* bytes before the filter, not written to */
	size_t tailroom; /* bytes behind it, at least */
	size_t first;	 /* the slots' first byte in the buffer */
	size_t used;	 /* bytes of slots so far */
	size_t size;	 /* bytes of the buffer */
	/* of each bumped layer so far, in memory of their own */
	uint8_t *thresholds[RIBBON_MAX_LAYERS];
	size_t nthresholds[RIBBON_MAX_LAYERS]; /* bytes */
	int nlayers;
} RibbonOutput;

/*
 * Begin an output buffer with room for nthresholds bytes of thresholds and
 * nslots bytes of slots, for all layers together; it grows if there are more.
 * There will be headroom bytes before the filter, and tailroom bytes behind it.
 * Errors: RIBBON_OUT_OF_MEMORY.  ribbon_output_free is to be called after a
 * failure too.
 */
extern RibbonStatus ribbon_output_create(const RibbonEnv *env,
										 RibbonOutput *output, size_t headroom,
										 size_t tailroom, uint64_t nthresholds,
										 uint64_t nslots);

/*
 * Add a bumped layer of nthresholds bytes of thresholds and nslots bytes of
 * slots: output->thresholds[] of the layer, which is not set, and *slots,
 * zeroed.  *slots may be used until the next call of a function of this file.
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_output_add_layer(const RibbonEnv *env,
											RibbonOutput *output,
											uint64_t nthresholds,
											uint64_t nslots, uint8_t **slots);

/* Drop the layer that was added last, which had nslots bytes of slots. */
extern void ribbon_output_drop_layer(const RibbonEnv *env, RibbonOutput *output,
									 size_t nslots);

/* Add a copy of slots[0..nslots), bytes, of a zone.  RIBBON_OUT_OF_MEMORY. */
extern RibbonStatus ribbon_output_add_slots(const RibbonEnv *env,
											RibbonOutput *output,
											const uint8_t *slots,
											size_t nslots);

/* The bytes of a filter, or of planes of one, in a buffer; begins zeroed. */
typedef struct RibbonBytes
{
	uint8_t *buffer;   /* NULL: there are none yet */
	size_t begin, end; /* of the bytes, in the buffer */
	size_t limit;	   /* the buffer's room */
	size_t nheader;	   /* of one plane: bytes of its header, from begin on */
} RibbonBytes;

/*
 * Put the header, the thresholds and the slots together.  On RIBBON_OK *bytes
 * has them, behind headroom bytes, in output's buffer; tailroom bytes follow.
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_output_finish(const RibbonEnv *env,
										 RibbonOutput *output,
										 const uint8_t *header, size_t nheader,
										 RibbonBytes *bytes);

/* Free all that is left.  May be called twice, or on a zeroed output. */
extern void ribbon_output_free(const RibbonEnv *env, RibbonOutput *output);

/*
 * Write to out the head of a filter with this first plane, and the dictionary
 * if there is one.  Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_output_write_head(const RibbonEnv *env,
											 const RibbonPlane *plane,
											 const RibbonValues *values,
											 uint8_t *out);

/*
 * The bytes of a filter that has nothing else, behind headroom bytes, in a
 * buffer that the caller frees.  Errors: RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_output_head(const RibbonEnv *env,
									   const RibbonPlane *plane,
									   const RibbonValues *values,
									   size_t headroom, RibbonBytes *bytes);

/* Free the buffer, if there is one. */
static inline void
ribbon_bytes_free(const RibbonEnv *env, RibbonBytes *bytes)
{
	ribbon_free(env, bytes->buffer);
	bytes->buffer = NULL;
}

/*
 * Put more behind what there is in *bytes.  Its buffer is taken over if it is
 * the first one, else freed, after a failure too.  Errors:
 * RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_bytes_add(const RibbonEnv *env, RibbonBytes *bytes,
									 const RibbonBytes *more);

/*
 * Give the bytes to a caller of ribbon_build, if status is RIBBON_OK; else free
 * them.  Returns status.
 */
extern RibbonStatus ribbon_bytes_give(const RibbonEnv *env,
									  const RibbonBytes *bytes,
									  RibbonStatus status, uint8_t **buffer,
									  size_t *nbytes);

#endif /* RIBBON_OUTPUT_H */
