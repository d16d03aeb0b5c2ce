/*
 * body.c - prove that headers of bodies are read within their bytes, and what
 * they may say (format/body.c)
 */
#include "format/body.c"

#include "bodies.h"

static uint8_t bytes[RIBBON_MAX_HEADER];
static RibbonPlane plane;

/*
 * PROVE	ribbon_zones_count
 * FOR		all widths, numbers of keys and shares
 * UNWIND	1
 */
void
prove_zones_count(void)
{
	uint64_t nkeys = nondet_uint64();
	unsigned share = nondet_unsigned();

	assume(nkeys <= RIBBON_MAX_KEYS && share <= RIBBON_SHARES);
	prove(zones_count_contract(share,
							   ribbon_zones_count(nondet_unsigned(), nkeys,
												  share)));
}

/*
 * PROVE	ribbon_zones_expected_slots
 * FOR		all numbers of slots and zones
 * UNWIND	1
 */
void
prove_zones_slots(void)
{
	unsigned z = nondet_unsigned();
	uint64_t nslots = nondet_uint64();

	plane.split = nondet_unsigned();
	plane.nzones[0] = nondet_unsigned();
	plane.nzones[1] = nondet_unsigned();
	assume(plane.split < RIBBON_SHARES);
	assume(zones_count_contract(RIBBON_SHARES - plane.split, plane.nzones[0]));
	assume(zones_count_contract(plane.split, plane.nzones[1]));
	assume(z < ribbon_plane_nzones(&plane));
	assume(nslots <= 2 * RIBBON_MAX_KEYS);
	ribbon_zones_expected_slots(&plane, z, nslots);
}

/*
 * PROVE	read_layers
 * FOR		headers of up to 640 bytes
 * UNWIND	8
 * REPLACE	ribbon_read_byte:any_byte ribbon_read_varint:any_varint
 */
void
prove_layers(void)
{
	RibbonReader reader = any_reader(bytes, sizeof(bytes));
	RibbonReader before = reader;
	unsigned i = nondet_unsigned();

	reader.corrupt = false;
	plane.layer_keys[0] = nondet_uint64();
	plane.width = nondet_bool() ? 32 : nondet_bool() ? 64 : 128;
	assume(plane.layer_keys[0] <= RIBBON_MAX_KEYS);
	read_layers(&reader, &plane);
	prove(reader_contract(&before, &reader, MAX_LAYERS_BYTES) ||
		  before.corrupt);
	prove(layers_contract(&plane) || reader.corrupt);
	assume(i < plane.nlayers);
	prove(plane.layer_keys[i + 1] <= RIBBON_MAX_KEYS);
	prove(slots_contract(&plane, i) || reader.corrupt);
}

/* ribbon_zones_count: a few */
unsigned
few_zones(unsigned width, uint64_t nkeys, unsigned share)
{
	unsigned result = any_zones_count(width, nkeys, share);

	assume(result <= 4);
	return result;
}

/*
 * PROVE	read_zones
 * FOR		headers of up to 8 zones, behind seven layers
 * UNWIND	9
 * REPLACE	ribbon_read_byte:any_byte ribbon_read_varint:any_varint
 *			ribbon_zones_count:few_zones
 *			ribbon_zones_expected_slots:any_slots
 */
void
prove_zones(void)
{
	RibbonReader reader = any_reader(bytes, sizeof(bytes));
	RibbonReader before = reader;
	RibbonBodyStart start = {.role = nondet_unsigned(),
							 .last_seed = nondet_unsigned()};
	uint64_t nkeys = nondet_uint64();
	unsigned i = nondet_unsigned();

	assume(start.role <= RIBBON_ROLE_FRONT && start.last_seed <= 15);
	assume(nkeys <= RIBBON_MAX_KEYS);
	plane.nlayers = RIBBON_MAX_LAYERS; /* the last systems that there are */
	plane.layer_keys[RIBBON_MAX_LAYERS] = nkeys;
	plane.width = nondet_bool() ? 32 : nondet_bool() ? 64 : 128;
	plane.split = nondet_unsigned();
	assume(plane.split < RIBBON_SHARES);
	read_zones(&reader, &start, &plane);
	prove(reader_contract(&before, &reader, MAX_ZONES_BYTES));
	prove(zones_contract(&plane));
	assume(i >= RIBBON_MAX_LAYERS && i < ribbon_plane_nsystems(&plane));
	prove(slots_contract(&plane, i));
}

/*
 * PROVE	ribbon_format_decode_body
 * FOR		headers of up to 640 bytes, of each role
 * UNWIND	9
 * REPLACE	ribbon_read_byte:any_byte ribbon_read_varint:any_varint
 *			read_layers:any_layers read_zones:any_zones
 */
void
prove_body(void)
{
	size_t nheader = nondet_size();
	RibbonRole role = nondet_unsigned();
	RibbonBodyStart start = {.role = role,
							 .layered = nondet_bool(),
							 .shrunk = nondet_bool(),
							 .salted = nondet_bool()};

	assume(role <= RIBBON_ROLE_FRONT && nheader <= sizeof(bytes));
	plane.nkeys = nondet_uint64();
	plane.kind = role == RIBBON_ROLE_FIRST && nondet_bool() ?
		RIBBON_HOMOGENEOUS :
		RIBBON_BURR;
	plane.width = nondet_bool() ? 32 : nondet_bool() ? 64 : 128;
	plane.check.bits = nondet_unsigned();
	plane.value_bits = nondet_unsigned();
	plane.check.wide = plane.split = nondet_unsigned();
	assume(first_contract(&plane));
	if (role == RIBBON_ROLE_LEVEL || role == RIBBON_ROLE_FRONT)
		assume(plane.check.bits + plane.check.wide == 0);
	if (role == RIBBON_ROLE_FRONT)
		assume(plane.value_bits == 0);
	if (ribbon_format_decode_body(bytes, nheader, start, &plane) != RIBBON_OK)
		return;
	prove(plane.header_bytes <= nheader);
	prove(plane_contract(&plane));
}
