/*
 * draft.c - the bytes of a filter while its layers are being solved
 */
#include "draft.h"

#include "format.h"

/* Drafts from this size on become the filter in place. */
#define LARGE ((size_t) 1 << 20)

RibbonStatus
ribbon_draft_create(const RibbonEnv *env, RibbonDraft *draft, size_t headroom,
					size_t nthresholds, size_t nslots)
{
	memset(draft, 0, sizeof(*draft));
	draft->headroom = headroom;
	draft->first = headroom + RIBBON_MAX_HEADER + nthresholds;
	draft->size = draft->first + nslots;
	draft->buffer = ribbon_alloc(env, draft->size);
	return draft->buffer == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;
}

/* Make room for more bytes of slots. */
static RibbonStatus
reserve(const RibbonEnv *env, RibbonDraft *draft, size_t more)
{
	size_t size = draft->first + draft->used + more;
	RibbonStatus status;
	uint8_t *buffer;

	if (size <= draft->size)
		return RIBBON_OK;
	size += size / 8;
	buffer = ribbon_alloc(env, size);
	if (buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_copy(env, buffer + draft->first,
						 draft->buffer + draft->first, draft->used);
	ribbon_free(env, draft->buffer);
	draft->buffer = buffer;
	draft->size = size;
	return status;
}

RibbonStatus
ribbon_draft_add_layer(const RibbonEnv *env, RibbonDraft *draft,
					   size_t nthresholds, size_t nslots, uint8_t **slots)
{
	int i = draft->nlayers;
	RibbonStatus status = reserve(env, draft, nslots);

	if (status != RIBBON_OK)
		return status;
	draft->thresholds[i] = ribbon_alloc(env, nthresholds);
	if (draft->thresholds[i] == NULL)
		return RIBBON_OUT_OF_MEMORY;
	draft->nthresholds[i] = nthresholds;
	draft->nlayers++;
	*slots = draft->buffer + draft->first + draft->used;
	draft->used += nslots;
	return ribbon_zero(env, *slots, nslots);
}

void
ribbon_draft_drop_layer(const RibbonEnv *env, RibbonDraft *draft, size_t nslots)
{
	draft->used -= nslots;
	draft->nlayers--;
	ribbon_free(env, draft->thresholds[draft->nlayers]);
	draft->thresholds[draft->nlayers] = NULL;
}

RibbonStatus
ribbon_draft_add_slots(const RibbonEnv *env, RibbonDraft *draft,
					   const uint8_t *slots, size_t nslots)
{
	RibbonStatus status = reserve(env, draft, nslots);

	if (status != RIBBON_OK)
		return status;
	memcpy(draft->buffer + draft->first + draft->used, slots, nslots);
	draft->used += nslots;
	return RIBBON_OK;
}

RibbonStatus
ribbon_draft_finish(const RibbonEnv *env, RibbonDraft *draft,
					const uint8_t *header, size_t header_bytes, uint8_t **bytes,
					size_t *nbytes)
{
	uint8_t *buffer = draft->buffer;
	size_t at = draft->headroom + header_bytes;
	RibbonStatus status;

	for (int i = 0; i < draft->nlayers; i++)
		at += draft->nthresholds[i];
	*nbytes = at - draft->headroom + draft->used;
	if (draft->used < LARGE || at > draft->first)
	{
		buffer = ribbon_alloc(env, draft->headroom + *nbytes);
		if (buffer == NULL)
			return RIBBON_OUT_OF_MEMORY;
		status = ribbon_copy(env, buffer + at, draft->buffer + draft->first,
							 draft->used);
		ribbon_free(env, draft->buffer);
		draft->buffer = buffer;
	}
	else
		status = ribbon_copy(env, buffer + at, buffer + draft->first,
							 draft->used);
	if (status != RIBBON_OK)
		return status;

	at = draft->headroom;
	memcpy(buffer + at, header, header_bytes);
	at += header_bytes;
	for (int i = 0; i < draft->nlayers; i++)
	{
		memcpy(buffer + at, draft->thresholds[i], draft->nthresholds[i]);
		at += draft->nthresholds[i];
	}
	*bytes = buffer;
	draft->buffer = NULL;
	return RIBBON_OK;
}

void
ribbon_draft_free(const RibbonEnv *env, RibbonDraft *draft)
{
	ribbon_free(env, draft->buffer);
	for (int i = 0; i < draft->nlayers; i++)
		ribbon_free(env, draft->thresholds[i]);
	memset(draft, 0, sizeof(*draft));
}
