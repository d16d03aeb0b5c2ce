/*
 * homog.c - homogeneous ribbon: every key's result is zero
 *
 * The result bits are chosen last, when P has been counted for the band
 * (solve/span.h): P varies from set to set, and keys may have been chosen to
 * raise it.  Until then a trial (trial.h) has all columns that the filter may
 * have.  Then the rate of the filter is counted (format/rate.h).  If it is not
 * the FPR, as it may be in small sets, the result bits are chosen once more.
 */
#include "construct/homog.h"

#include "construct/params.h"
#include "construct/salt.h"
#include "construct/trial.h"
#include "format/format.h"
#include "format/icml.h"
#include "format/inspect.h"
#include "format/rate.h"
#include "solve/solver.h"

#define MORE_SLOTS_TRIES 3	   /* sizes to try before hashes are salted */
#define FAIR_SALTS		 8	   /* salts to try before any size is accepted */
#define COLUMNS_TRIES	 4	   /* choices of result bits for one size */
#define SAME_RATE		 1.003 /* factor between rates that count as equal */

/*
 * How many times larger than usual a filter may be.  If it is larger, that is
 * no accident, and the hashes are salted.  A salt costs no more work than
 * another size.  But keys can be chosen for which the first salts are bad, too,
 * so the limit grows with the number of salts.
 */
#define LARGER			 1.04
#define LARGER_SALTED	 1.02
#define LARGER_EACH_SALT 0.01
#define LARGER_BYTES	 12 /* filters of few keys vary more */
#define SALT_BYTES		 8	/* of the header */

/* A filter under construction. */
typedef struct Homog
{
	const RibbonEnv *env;
	double fpr;
	RibbonPlane plane;
	RibbonHashes hashes;
	uint64_t nslots;
	double usual_bytes;
	unsigned nsalts; /* that have been tried */
	size_t headroom;
	uint8_t *buffer; /* of the finished filter, or NULL */
} Homog;

/* Bytes of all slots with these result bits. */
static double
slot_bytes(const Homog *h, RibbonResultBits result_bits)
{
	RibbonSystem system;

	ribbon_system_init(&system, h->nslots, (unsigned) h->plane.width, false,
					   result_bits);
	return (double) ribbon_icml_bytes(&system);
}

/* The expected P of a random set. */
static double
usual_dependence(const Homog *h)
{
	return ribbon_params_homog_dependence(h->plane.width, h->plane.nkeys,
										  h->nslots);
}

/*
 * What slots take in sets like most.  The wide rows that are there for P alone,
 * which may be much less than expected, need not begin a block.
 */
static double
usual_bytes(const Homog *h)
{
	RibbonResultBits result_bits =
		ribbon_result_bits_beside(h->fpr, usual_dependence(h));
	double rows = ribbon_result_bits_mean(result_bits) * (double) h->nslots / 8;
	double blocks = slot_bytes(h, ribbon_result_bits_for(h->fpr));

	return rows > blocks ? rows : blocks;
}

/* Is a filter with these result bits larger than it may be? */
static bool
is_larger(const Homog *h, RibbonResultBits result_bits)
{
	double limit = h->plane.salted ?
		(LARGER_SALTED + LARGER_EACH_SALT * h->nsalts) * h->usual_bytes +
			LARGER_BYTES - SALT_BYTES :
		LARGER * h->usual_bytes + LARGER_BYTES;

	return h->nsalts <= FAIR_SALTS && slot_bytes(h, result_bits) > limit;
}

/* Are there result bits that give the FPR with this P, and not too many? */
static bool
leaves_room(const Homog *h, double probability)
{
	double chance = ribbon_result_bits_chance_beside(h->fpr, probability);

	return probability <= h->fpr / 2 &&
		ribbon_rate_of(probability, chance) <= SAME_RATE * h->fpr &&
		!is_larger(h, ribbon_result_bits_beside(h->fpr, probability));
}

/* Solve some slots (RibbonSlideTake). */
static RibbonStatus
solve_slots(const RibbonEnv *env, void *arg, const RibbonBand *band,
			uint64_t begin, uint64_t end)
{
	RibbonBacksubst *run = (RibbonBacksubst *) arg;

	run->band = band;
	run->begin = begin;
	run->end = end;
	return ribbon_backsubst(env, run);
}

/* Begin the bytes of a filter with these result bits. */
static RibbonStatus
create(Homog *h, RibbonResultBits result_bits)
{
	RibbonStatus status;

	h->plane.result_bits = result_bits.bits;
	h->plane.wide = h->plane.split = result_bits.wide;
	status = ribbon_format_create(h->env, &h->plane, h->headroom, &h->buffer);
	if (status != RIBBON_OK)
		h->buffer = NULL;
	return status;
}

static void
discard(Homog *h)
{
	ribbon_free(h->env, h->buffer);
	h->buffer = NULL;
}

/* Solve the band anew, with these result bits. */
static RibbonStatus
solve_again(Homog *h, RibbonSlide *slide, RibbonResultBits result_bits)
{
	const RibbonSystem *system = &h->plane.systems[0];
	RibbonBacksubst run;
	RibbonStatus status;
	bool suspicious; /* no: the same hashes were not in the trial */

	discard(h);
	status = create(h, result_bits);
	if (status != RIBBON_OK)
		return status;
	run = ribbon_backsubst_all(NULL, system, RIBBON_FREE_UNIT,
							   (uint8_t *) system->slots);
	return ribbon_slide_run(slide, solve_slots, &run, &suspicious);
}

/*
 * Write the filter with the result bits for the P *probability, and set that to
 * the P that the filter has.  If there is a buffer, it has the trial's slots.
 */
static RibbonStatus
solve(Homog *h, RibbonSlide *slide, const RibbonTrial *trial,
	  double *probability)
{
	RibbonPlane *plane = &h->plane;
	RibbonResultBits result_bits = ribbon_result_bits_beside(h->fpr,
															 *probability);
	bool tried = slide->whole && result_bits.bits == trial->result_bits.bits;
	RibbonStatus status = tried && h->buffer != NULL ?
		ribbon_format_keep_bits(h->env, plane, result_bits) :
		solve_again(h, slide, result_bits);

	if (status == RIBBON_OK)
		status = ribbon_rate_excess(h->env, &plane->systems[0], result_bits,
									tried ? trial->doubtful : NULL,
									probability);
	if (status == RIBBON_OK)
	{
		plane->dependence = ribbon_format_encode_dependence(*probability);
		ribbon_format_encode(plane, h->buffer + h->headroom);
	}
	return status;
}

/*
 * Does the filter's header state the FPR?  (With P = 0 its rate may be lower.)
 */
static bool
has_rate(const Homog *h)
{
	double rate = ribbon_inspect_fpr(&h->plane);

	return rate <= SAME_RATE * h->fpr && rate * SAME_RATE >= h->fpr;
}

/*
 * Band the hashes, solve them with all columns that there may be, and count P.
 */
static RibbonStatus
run_trial(Homog *h, RibbonSlide *slide, RibbonTrial *trial, double *probability,
		  bool *suspicious)
{
	RibbonResultBits asked = ribbon_result_bits_for(h->fpr);
	RibbonResultBits expected = ribbon_result_bits_beside(h->fpr,
														  usual_dependence(h));
	uint8_t *slots = NULL;
	RibbonStatus status = RIBBON_OK;

	if (slide->whole)
	{
		status = create(h, ribbon_trial_columns(expected));
		slots = (uint8_t *) h->plane.systems[0].slots;
	}
	if (status == RIBBON_OK)
		status = ribbon_trial_create(h->env, trial, slide, expected, slots);
	if (status == RIBBON_OK)
		status = ribbon_trial_run(trial, slide, asked.bits + (asked.wide > 0),
								  probability, suspicious);
	return status;
}

/* Find the result bits that give the FPR, if they are not too many. */
static RibbonStatus
finish(Homog *h, RibbonSlide *slide, const RibbonTrial *trial,
	   double probability)
{
	RibbonStatus status = RIBBON_OK;

	for (int i = 0; i < COLUMNS_TRIES && leaves_room(h, probability); i++)
	{
		status = solve(h, slide, trial, &probability);
		if (status != RIBBON_OK)
			break;
		if (has_rate(h))
			return RIBBON_OK;
		discard(h);
	}
	discard(h);
	return status;
}

/*
 * Build the filter with h->nslots slots.  h->buffer stays NULL if these are too
 * few, or if *suspicious.  Salted hashes are suspicious too, if rarely; then
 * the next salt is tried.  So the band is never larger than usual, and the
 * hashes of a store stay there.
 */
static RibbonStatus
try_slots(Homog *h, bool *suspicious)
{
	RibbonTrial trial = {.window = NULL};
	RibbonSystem system;
	RibbonSlide slide;
	double probability = 1;
	RibbonStatus status;

	h->plane.systems[0].nslots = h->nslots;
	ribbon_system_init(&system, h->nslots, (unsigned) h->plane.width, false,
					   ribbon_result_bits_for(h->fpr));
	*suspicious = false;
	status = ribbon_slide_create(h->env, &slide, &system, &h->hashes);
	if (status == RIBBON_OK)
		status = run_trial(h, &slide, &trial, &probability, suspicious);
	if (status == RIBBON_OK && !*suspicious)
		status = finish(h, &slide, &trial, probability);
	else
		discard(h);
	ribbon_trial_free(h->env, &trial);
	ribbon_slide_free(h->env, &slide);
	return status;
}

RibbonStatus
ribbon_homog_build(const RibbonEnv *env, const RibbonParams *params,
				   RibbonHashes *hashes, size_t headroom, uint8_t **bytes,
				   size_t *nbytes)
{
	uint64_t usual_nslots = ribbon_params_homog_slots(params->width,
													  params->fpr, hashes->n);
	Homog h = {.env = env,
			   .fpr = params->fpr,
			   .hashes = *hashes,
			   .nslots = usual_nslots,
			   .headroom = headroom};
	RibbonStatus status = RIBBON_OK;

	hashes->owned = false; /* h.hashes is freed instead, if hashes was owned */
	ribbon_format_init_empty(&h.plane, params->key_class);
	h.plane.kind = RIBBON_HOMOGENEOUS;
	h.plane.nzones[0] = 1;
	h.plane.nkeys = hashes->n;
	h.plane.width = params->width;
	h.usual_bytes = usual_bytes(&h);

	for (int nsizes = 1; status == RIBBON_OK && h.buffer == NULL;)
	{
		bool suspicious;

		status = try_slots(&h, &suspicious);
		if (status != RIBBON_OK || h.buffer != NULL)
			break;
		if (suspicious || h.plane.salted || nsizes == MORE_SLOTS_TRIES)
		{
			status = ribbon_salt_hashes(env, &h.plane, &h.hashes);
			h.nsalts++;
			h.nslots = usual_nslots;
			if (h.nsalts > FAIR_SALTS)
				h.nslots += (h.nsalts - FAIR_SALTS) * (usual_nslots / 32 + 4);
		}
		else
		{
			h.nslots += h.nslots / 32 + 4;
			nsizes++;
		}
	}
	ribbon_hashes_free(env, &h.hashes);
	if (status != RIBBON_OK)
		return status;
	*bytes = h.buffer;
	*nbytes = (size_t) (h.plane.at + h.plane.total_bytes);
	return RIBBON_OK;
}
