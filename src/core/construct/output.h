/*
 * output.h - the bytes of a BuRR plane while its layers are being solved
 *
 * Thresholds stand in front of all slots, so those of each layer have memory of
 * their own until the last layer is solved; the slots of one ribbon system
 * after the other are the body of a buffer in the order of the format.
 *
 *----------
 *	 meanwhile	 | before | room for thresholds |slots 0|slots 1|zones|
 *	 in the end	 | before   |thresh. 0|thresh. 1|slots 0|slots 1|zones|
 *----------
 *
 * Errors of all functions: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
#ifndef RIBBON_OUTPUT_H
#define RIBBON_OUTPUT_H

#include "construct/bytes.h"
#include "format/plane.h"

/* Begins zeroed. */
typedef struct RibbonOutput
{
	RibbonBytes slots;
	size_t behind;	  /* bytes to be left behind them, at least */
	unsigned nlayers; /* bumped ones so far, and their thresholds: */
	uint8_t *thresholds[RIBBON_MAX_LAYERS];
	size_t threshold_bytes[RIBBON_MAX_LAYERS];
} RibbonOutput;

/*
 * Begin with room for slot_bytes bytes of slots, for all layers together; it
 * grows if there are more.  There is always room for so many bytes before and
 * behind them.  ribbon_output_free is to be called after a failure too.
 */
extern RibbonStatus ribbon_output_create(const RibbonEnv *env,
										 RibbonOutput *output, uint64_t before,
										 uint64_t slot_bytes, size_t behind);

/*
 * Add a bumped layer of threshold_bytes bytes of thresholds and slot_bytes
 * bytes of slots: output->thresholds[] of the layer, which is not set, and
 * *slots, zeroed.  *slots may be used until the next call of a function of this
 * file.
 */
extern RibbonStatus ribbon_output_add_layer(const RibbonEnv *env,
											RibbonOutput *output,
											uint64_t threshold_bytes,
											uint64_t slot_bytes,
											uint8_t **slots);

/* Drop the layer that was added last, which had slot_bytes bytes of slots. */
extern void ribbon_output_drop_layer(const RibbonEnv *env, RibbonOutput *output,
									 size_t slot_bytes);

/* Add slot_bytes bytes of a zone's slots: *slots, likewise. */
extern RibbonStatus ribbon_output_add_slots(const RibbonEnv *env,
											RibbonOutput *output,
											uint64_t slot_bytes,
											uint8_t **slots);

/*
 * Put thresholds and slots together.  On RIBBON_OK *bytes has them, behind
 * so many bytes or more, in output's buffer.
 */
extern RibbonStatus ribbon_output_finish(const RibbonEnv *env,
										 RibbonOutput *output, uint64_t before,
										 RibbonBytes *bytes);

/* Free all that is left.  May be called twice, or on a zeroed output. */
extern void ribbon_output_free(const RibbonEnv *env, RibbonOutput *output);

#endif /* RIBBON_OUTPUT_H */
