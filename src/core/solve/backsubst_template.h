/*
 * backsubst_template.h - back substitution in plain C, for one ribbon width
 */
static RibbonStatus
NAME(backsubst, loop)(const RibbonEnv *env, RibbonBacksubst *task)
{
	const RibbonBand *band = task->band;
	const RibbonSystem *system = task->system;
	const ROW *coeff = (const ROW *) band->coeff;
	uint64_t free_row = task->free_row;
	ROW words[RIBBON_MAX_COLUMNS];
	unsigned ncolumns = system->ncolumns + (system->wide > 0);

	NAME(ribbon_icml, load)
	(system, task->end / RIBBON_BITS, task->slots, words);
	for (uint64_t slot = task->end; slot-- > task->begin;)
	{
		ROW row = coeff[slot - band->first];
		uint64_t result;

		if (ROW_FN(is_zero)(row))
		{
			result = free_row;
			free_row = ribbon_backsubst_next_row(free_row, system->ncolumns);
		}
		else
			result = ribbon_band_result(band, slot - band->first);

		for (unsigned i = 0; i < ncolumns; i++)
		{
			ROW word = ROW_FN(push)(words[i]);

			words[i] = ROW_FN(set_front)(word,
										 (ROW_FN(dot)(word, row) ^
										  (uint32_t) (result >> i)) &
											 1);
		}

		if (slot % RIBBON_BITS == 0)
		{
			NAME(ribbon_icml, store)
			(system, slot / RIBBON_BITS, words, task->slots);
			if (slot % RIBBON_INTERRUPT_KEYS == 0 && ribbon_interrupted(env))
				return RIBBON_INTERRUPTED;
		}
	}
	task->free_row = free_row;
	return RIBBON_OK;
}
