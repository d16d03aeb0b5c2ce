/*
 * output.c - the bytes of a BuRR plane while its layers are being solved
 */
#include "construct/output.h"

RibbonStatus
ribbon_output_create(const RibbonEnv *env, RibbonOutput *output,
					 uint64_t before, uint64_t slot_bytes, size_t behind)
{
	memset(output, 0, sizeof(*output));
	output->behind = behind;
	return ribbon_bytes_create(env, &output->slots, before,
							   slot_bytes + behind);
}

RibbonStatus
ribbon_output_add_slots(const RibbonEnv *env, RibbonOutput *output,
						uint64_t slot_bytes, uint8_t **slots)
{
	RibbonStatus status = ribbon_bytes_reserve(env, &output->slots,
											   slot_bytes + output->behind);

	if (status != RIBBON_OK)
		return status;
	*slots = output->slots.buffer + output->slots.end;
	output->slots.end += (size_t) slot_bytes;
	return ribbon_zero(env, *slots, (size_t) slot_bytes);
}

RibbonStatus
ribbon_output_add_layer(const RibbonEnv *env, RibbonOutput *output,
						uint64_t threshold_bytes, uint64_t slot_bytes,
						uint8_t **slots)
{
	unsigned i = output->nlayers;

	output->thresholds[i] = ribbon_alloc(env, threshold_bytes);
	if (output->thresholds[i] == NULL)
		return RIBBON_OUT_OF_MEMORY;
	output->threshold_bytes[i] = (size_t) threshold_bytes;
	output->nlayers++;
	return ribbon_output_add_slots(env, output, slot_bytes, slots);
}

void
ribbon_output_drop_layer(const RibbonEnv *env, RibbonOutput *output,
						 size_t slot_bytes)
{
	output->slots.end -= slot_bytes;
	output->nlayers--;
	ribbon_free(env, output->thresholds[output->nlayers]);
	output->thresholds[output->nlayers] = NULL;
}

RibbonStatus
ribbon_output_finish(const RibbonEnv *env, RibbonOutput *output,
					 uint64_t before, RibbonBytes *bytes)
{
	RibbonPrefix thresholds[RIBBON_MAX_LAYERS];
	RibbonStatus status;

	for (unsigned i = 0; i < output->nlayers; i++)
		thresholds[i] = (RibbonPrefix){output->thresholds[i],
									   output->threshold_bytes[i]};
	status = ribbon_bytes_prepend(env, &output->slots, before, thresholds,
								  output->nlayers);
	if (status != RIBBON_OK)
		return status;
	*bytes = output->slots;
	memset(&output->slots, 0, sizeof(output->slots));
	return RIBBON_OK;
}

void
ribbon_output_free(const RibbonEnv *env, RibbonOutput *output)
{
	ribbon_bytes_discard(env, &output->slots);
	for (unsigned i = 0; i < output->nlayers; i++)
		ribbon_free(env, output->thresholds[i]);
	memset(output, 0, sizeof(*output));
}
