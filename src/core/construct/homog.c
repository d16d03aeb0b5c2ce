/*
 * homog.c - homogeneous ribbon: every key's result is zero [RF 4, BuRR 5]
 *
 * If the result of each equation is zero, the system always has a solution, so
 * nothing is bumped.  The solution Z = 0 would say yes to every non-member.  So
 * free variables get independent rows, and there must be enough of them: a
 * non-member whose equation follows from the keys' equations is a false
 * positive whatever r is.  With P the probability of that,
 *
 *		FPR = P + (1 - P) 2^-r									[RF lemma 4.2]
 *
 * if the free variables are random.  With the independent rows of
 * solve/backsubst.h the FPR is lower, most of all in small sets.
 *
 * P varies from set to set, and keys may have been chosen to raise it.  So the
 * band is solved with some more result bits than a usual P calls for.  Then the
 * rate that the filter would have is counted (solve/rate.h), and as many
 * result bits are kept as give the FPR.  If that takes other result bits than
 * there are, as it may in small sets, the band is solved once more.
 */
#include "construct/planes.h"

#include "construct/fill.h"
#include "construct/salt.h"
#include "format/icml.h"
#include "format/place.h"
#include "solve/backsubst.h"
#include "solve/rate.h"

#define SUSPICIOUS_FACTOR 16	 /* times the FPR: such a P is no accident */
#define FAIR_SALTS		  8		 /* salts to try before any size is accepted */
#define BITS_TRIES		  5		 /* choices of result bits for one size */
#define SPARE_SHARES	  256	 /* more wide rows, of 2048, to choose from */
#define USUAL_KEYS		  10000	 /* from here on P is about the usual one */
#define GIVES_FPR		  1.003	 /* factor between the FPR and a rate for it */
#define GIVES_NEARLY	  1.0005 /* with the usual P, which may be too large */

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
	const RibbonPlaneJob *job;
	RibbonPlane *plane;
	double fpr;
	const RibbonSet *hashes; /* the job's, or salted ones */
	unsigned nsalts;		 /* that have been tried */
	uint64_t usual_nslots;
	uint64_t nslots;
	double usual_bytes;
	RibbonBytes *slots;		 /* no buffer: they are not solved */
	RibbonResultBits solved; /* that these slots have */
} Homog;

/* Bytes of all slots with these result bits. */
static double
slot_bytes(const Homog *h, RibbonResultBits result_bits)
{
	RibbonSystem system;

	ribbon_system_init(&system, RIBBON_SYSTEM_HOMOGENEOUS, h->nslots,
					   h->plane->width, result_bits, 0);
	return (double) ribbon_icml_bytes(&system);
}

/* The expected P of a random set. */
static double
usual_dependence(const Homog *h)
{
	return ribbon_homog_dependence(h->plane->width, h->plane->nkeys, h->nslots);
}

/*
 * The bytes of slots in a usual set.  The wide rows that only P calls for count
 * as fractions of a block, for P may be much less than expected.
 */
static double
expect_bytes(const Homog *h)
{
	RibbonResultBits result_bits =
		ribbon_result_bits_beside(h->fpr, usual_dependence(h));
	double rows = ribbon_result_bits_mean(result_bits) * (double) h->nslots / 8;
	double blocks = slot_bytes(h, h->job->params.check);

	return rows > blocks ? rows : blocks;
}

/* Is a filter with these result bits larger than it may be? */
static bool
is_larger(const Homog *h, RibbonResultBits result_bits)
{
	double limit = h->plane->salted ?
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
		ribbon_dependence_rate(probability, chance) <= GIVES_FPR * h->fpr &&
		!is_larger(h, ribbon_result_bits_beside(h->fpr, probability));
}

/* Result bits as a number of shares. */
static unsigned
shares_of(RibbonResultBits result_bits)
{
	return RIBBON_SHARES * result_bits.bits + result_bits.wide;
}

/*
 * The result bits to solve with, of which result_bits can be kept: they have
 * more wide rows, as many as a usual P calls for, and SPARE_SHARES.
 */
static RibbonResultBits
with_spare(const Homog *h, RibbonResultBits result_bits)
{
	RibbonResultBits usual = ribbon_result_bits_beside(h->fpr,
													   usual_dependence(h));
	unsigned asked = shares_of(h->job->params.check);
	unsigned spare = shares_of(usual) - asked + SPARE_SHARES;

	if (result_bits.bits < RIBBON_MAX_RESULT_BITS)
		result_bits.wide = (unsigned) ribbon_min64(result_bits.wide + spare,
												   RIBBON_SHARES - 1);
	return result_bits;
}

/*
 * Can these result bits be had from what has been solved?  Rows of free
 * variables are chosen for one r.
 */
static bool
are_solved(const Homog *h, RibbonResultBits result_bits)
{
	return h->slots->buffer != NULL && result_bits.bits == h->solved.bits &&
		result_bits.wide <= h->solved.wide;
}

/* Set the check bits, and place the systems in h->slots; returns its begin. */
static uint8_t *
place_slots(Homog *h, RibbonResultBits check)
{
	uint8_t *slots = h->slots->buffer + h->slots->begin;

	ribbon_plane_set_check(h->plane, check);
	ribbon_place_systems(h->plane);
	ribbon_place_bytes(h->plane, slots);
	h->slots->end = h->slots->begin + h->plane->total_bytes;
	return slots;
}

/* Solve the band, for these result bits and perhaps more. */
static RibbonStatus
solve_band(Homog *h, RibbonFill *fill, RibbonResultBits result_bits)
{
	RibbonBacksubst task = {.system = &h->plane->systems[0], .free_row = 1};
	RibbonStatus status;

	ribbon_bytes_discard(h->env, h->slots);
	h->solved = with_spare(h, result_bits);
	status = ribbon_bytes_create(h->env, h->slots, h->job->room.before,
								 (uint64_t) slot_bytes(h, h->solved));
	if (status != RIBBON_OK)
		return status;
	task.slots = place_slots(h, h->solved);
	status = ribbon_zero(h->env, task.slots, (size_t) h->plane->total_bytes);
	return status == RIBBON_OK ? ribbon_fill_solve(fill, &task, NULL, NULL) :
								 status;
}

/*
 * Does a filter with these result bits and this P, as its header states it,
 * have the FPR, or one that is lower by this factor?
 */
static bool
has_rate(const Homog *h, RibbonResultBits result_bits, unsigned dependence,
		 double lower)
{
	double rate = ribbon_dependence_rate(ribbon_dependence_decode(dependence),
										 ribbon_result_bits_fpr(result_bits));

	return rate <= GIVES_FPR * h->fpr && rate * lower >= h->fpr;
}

/*
 * Solve the band, count P for the result bits that the P known so far asks for,
 * and choose them again, until they give the FPR or would be too many.  The P
 * of few keys differs much from the usual one, and depends on the result bits.
 * On RIBBON_OK h->slots have such bits, if there are *enough.
 * RIBBON_SUSPICIOUS: P is so large that chance does not explain it.
 */
static RibbonStatus
find_bits(Homog *h, RibbonFill *fill, bool *enough)
{
	double probability = h->plane->nkeys < USUAL_KEYS ? 0 : usual_dependence(h);
	RibbonStatus status = RIBBON_OK;

	for (int i = 0; i < BITS_TRIES && leaves_room(h, probability); i++)
	{
		RibbonResultBits bits = ribbon_result_bits_beside(h->fpr, probability);

		if (!are_solved(h, bits))
			status = solve_band(h, fill, bits);
		if (status == RIBBON_OK)
			status = ribbon_rate_excess(h->env, &h->plane->systems[0], bits,
										&probability);
		if (status != RIBBON_OK)
			break;
		h->plane->dependence = ribbon_dependence_encode(probability);
		if (has_rate(h, bits, h->plane->dependence,
					 i == 0 ? GIVES_NEARLY : GIVES_FPR))
		{
			RibbonSystem solved = h->plane->systems[0];
			uint8_t *slots = place_slots(h, bits);

			*enough = true;
			return ribbon_icml_keep_columns(h->env, &solved,
											&h->plane->systems[0], slots);
		}
	}
	if (status == RIBBON_OK && probability > SUSPICIOUS_FACTOR * h->fpr)
		status = RIBBON_SUSPICIOUS;
	ribbon_bytes_discard(h->env, h->slots);
	return status;
}

/* Build the filter with h->nslots slots, if they are *enough. */
static RibbonStatus
try_slots(Homog *h, bool *enough)
{
	RibbonSystem system;
	RibbonCut cut;
	RibbonFill fill;
	RibbonStatus status;

	h->plane->systems[0].nslots = h->nslots;
	ribbon_system_init(&system, RIBBON_SYSTEM_HOMOGENEOUS, h->nslots,
					   h->plane->width, h->job->params.check, 0);
	cut = ribbon_cut_homogeneous(&system);
	status = ribbon_fill_create(h->env, &fill, &cut, h->hashes, NULL, false);
	if (status == RIBBON_OK)
		status = find_bits(h, &fill, enough);
	ribbon_fill_free(&fill);
	return status;
}

/*
 * Build the filter of these hashes (RibbonSaltAttempt).  If slots are too few,
 * once more slots are tried, then other hashes; of these a few sets, then more
 * slots with each.  Salted hashes are suspicious too, if rarely; so the band is
 * never larger than usual, and the hashes of a file stay there.
 */
static RibbonStatus
try_hashes(void *arg, const RibbonSet *hashes)
{
	Homog *h = (Homog *) arg;
	uint64_t step = h->usual_nslots / 32 + 4;
	bool enough = false;
	RibbonStatus status;

	h->hashes = hashes;
	h->nslots = h->usual_nslots;
	if (h->nsalts > FAIR_SALTS)
		h->nslots += (h->nsalts - FAIR_SALTS) * step;
	status = try_slots(h, &enough);
	if (status == RIBBON_OK && !enough && h->nsalts == 0)
	{
		h->nslots += step;
		status = try_slots(h, &enough);
	}
	h->nsalts++;
	return status == RIBBON_OK && !enough ? RIBBON_SUSPICIOUS : status;
}

RibbonStatus
ribbon_homog_build(const RibbonEnv *env, const RibbonPlaneJob *job,
				   RibbonBytes *bytes)
{
	RibbonPlane *plane = job->plane;
	Homog h = {.env = env,
			   .job = job,
			   .plane = plane,
			   .fpr = job->params.fpr,
			   .slots = bytes};

	plane->kind = RIBBON_HOMOGENEOUS;
	plane->nzones[0] = 1;
	plane->width = ribbon_homog_width(job->params.width, h.fpr);
	h.usual_nslots = ribbon_homog_slots(plane->width, h.fpr, plane->nkeys);
	h.nslots = h.usual_nslots;
	h.usual_bytes = expect_bytes(&h);
	return ribbon_salt_build(env, plane, job->hashes, try_hashes, &h);
}
