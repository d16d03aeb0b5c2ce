/*
 * assembly.c - the bytes of a filter, map or exact set, put together of planes
 */
#include "compose/assembly.h"

/*
 * How many bytes come behind the first body is expected, not known.  As a rule
 * a 64th more, and some, are enough; the buffer grows if they are not.
 */
#define ROOM_SHARE 64
#define ROOM_MORE  256

void
ribbon_assembly_begin(RibbonAssembly *a, const RibbonBuild *build,
					  RibbonRoom room)
{
	const RibbonValues *values = build->params->values;

	ribbon_clear(a, offsetof(RibbonAssembly, first));
	a->build = build;
	a->room = room;
	a->room.before += build->headroom + RIBBON_MAX_HEAD + RIBBON_MAX_HEADER;
	if (values != NULL)
		a->room.before += values->ndictionary;
	if (room.behind > 0)
		a->room.behind += room.behind / ROOM_SHARE + ROOM_MORE;
}

void
ribbon_assembly_free(RibbonAssembly *a)
{
	ribbon_bytes_discard(a->build->env, &a->bodies);
	ribbon_bytes_discard(a->build->env, &a->headers);
}

/* Put a header that is not the first one's in its place. */
static RibbonStatus
add_header(RibbonAssembly *a, RibbonRole role, RibbonBytes *body)
{
	uint8_t header[RIBBON_MAX_HEADER];
	RibbonPrefix prefix = {header,
						   ribbon_format_encode_body(&a->last, role, header)};
	uint8_t *place;
	RibbonStatus status;

	if (role == RIBBON_ROLE_OWN_BYTE)
		return ribbon_bytes_prepend(a->build->env, body, 0, &prefix, 1);
	status = ribbon_bytes_extend(a->build->env, &a->headers, prefix.n, &place);
	if (status == RIBBON_OK)
		memcpy(place, header, prefix.n);
	return status;
}

RibbonStatus
ribbon_assembly_add(RibbonAssembly *a, const RibbonSet *keys,
					const RibbonSupply *supply, RibbonResultBits check,
					RibbonRole role)
{
	const RibbonEnv *env = a->build->env;
	const RibbonParams *wanted = a->build->params;
	RibbonPlane *plane = role == RIBBON_ROLE_FIRST ? &a->first : &a->last;
	RibbonPlaneJob job =
		{.params = {.width = wanted->width,
					.check = check,
					.fpr = wanted->fpr,
					.in_map = supply != NULL || wanted->values != NULL,
					.value_bits = supply != NULL ? supply->value_bits : 0},
		 .hashes = keys,
		 .supply = supply,
		 .room = {.before = RIBBON_MAX_HEADER},
		 .plane = plane};
	RibbonBytes body = {.buffer = NULL};
	size_t nbody;
	RibbonStatus status;

	ribbon_plane_init_empty(plane);
	plane->nkeys = keys->n;
	plane->value_bits = job.params.value_bits;
	if (!ribbon_has_check(check))
		plane->check = check;
	if (ribbon_plane_is_bare(plane))
		return RIBBON_OK;
	if (a->bodies.buffer == NULL) /* its buffer will be all planes' */
		job.room = a->room;
	/* RIBBON_AUTO is BuRR: spare slots always take more bytes */
	status = wanted->kind == RIBBON_HOMOGENEOUS ?
		ribbon_homog_build(env, &job, &body) :
		ribbon_burr_build(env, &job, &body);
	nbody = ribbon_bytes_size(&body);
	if (status == RIBBON_OK && role != RIBBON_ROLE_FIRST)
		status = add_header(a, role, &body);
	if (status != RIBBON_OK)
	{
		ribbon_bytes_discard(env, &body);
		return status;
	}
	status = ribbon_bytes_add(env, &a->bodies, &body);
	a->last_at = a->bodies.end - nbody;
	return status;
}

/* Put prefixes in front of the bodies, and everything behind headroom bytes. */
static RibbonStatus
put_together(RibbonAssembly *a, const RibbonPrefix *prefixes,
			 unsigned nprefixes, RibbonBytes *bytes)
{
	const RibbonEnv *env = a->build->env;
	size_t headroom = a->build->headroom;
	RibbonStatus status = ribbon_bytes_prepend(env, &a->bodies, headroom,
											   prefixes, nprefixes);

	if (status == RIBBON_OK)
		status = ribbon_bytes_move_up(env, &a->bodies, headroom);
	if (status != RIBBON_OK)
		return status;
	*bytes = a->bodies;
	memset(&a->bodies, 0, sizeof(a->bodies));
	return RIBBON_OK;
}

RibbonStatus
ribbon_assembly_finish(RibbonAssembly *a, const RibbonCodes *codes,
					   const uint8_t *table, RibbonBytes *bytes)
{
	const RibbonValues *values = a->build->params->values;
	uint8_t head[RIBBON_MAX_HEAD], header[RIBBON_MAX_HEADER];
	RibbonPrefix prefixes[5] = {{.bytes = head}};
	unsigned n = 1;

	prefixes[0].n = ribbon_format_encode_head(&a->first,
											  a->build->params->key_class,
											  values, codes, head);
	if (values != NULL)
		prefixes[n++] = (RibbonPrefix){values->dictionary, values->ndictionary};
	if (codes != NULL)
		prefixes[n++] =
			(RibbonPrefix){table, (size_t) ribbon_codes_table_bytes(codes)};
	prefixes[n++] = (RibbonPrefix){header,
								   ribbon_format_encode_body(&a->first,
															 RIBBON_ROLE_FIRST,
															 header)};
	if (codes != NULL)
		prefixes[n++] = (RibbonPrefix){a->headers.buffer, a->headers.end};
	return put_together(a, prefixes, n, bytes);
}

RibbonStatus
ribbon_assembly_finish_exact(RibbonAssembly *a, const RibbonExactHead *exact,
							 RibbonBytes *bytes)
{
	uint8_t head[RIBBON_MAX_HEAD];
	RibbonPrefix prefix = {head, ribbon_format_encode_exact(exact, head)};

	return put_together(a, &prefix, 1, bytes);
}
