/*
 * about.c - ribbon stats, ribbon check, ribbon shrink
 */
#include "command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void
put_number(const char *name, int64_t number)
{
	if (number >= 0)
		(void) printf("%-16s %" PRId64 "\n", name, number);
}

/* As ribbon_stats has them on the server. */
static void
put_stats(const ribbon_filter *filter)
{
	static const char *const kinds[] = {"burr", "homogeneous", "", "exact"};
	int64_t as_of;
	char time[48];
	bool is_map = ribbon_filter_is_map(filter);
	uint64_t count = ribbon_filter_count(filter);
	char value_type[520];
	size_t size;

	(void) ribbon_filter_bytes(filter, &size);
	(void) printf("%-16s %s\n", "kind",
				  is_map ? "map" : kinds[ribbon_filter_kind(filter)]);
	(void) printf("%-16s %s\n", "key_type",
				  type_name(ribbon_filter_key_type(filter)));
	(void) printf("%-16s %" PRIu64 "\n", "keys", count);
	(void) printf("%-16s %.5g\n", "fpr", ribbon_filter_fpr(filter));
	if (is_map)
	{
		(void) ribbon_filter_value_type_name(filter, value_type,
											 sizeof(value_type));
		(void) printf("%-16s %s\n", "value_type", value_type);
		put_number("value_bits",
				   ribbon_filter_stat(filter, RIBBON_STAT_VALUE_BITS));
		put_number("distinct_values",
				   ribbon_filter_stat(filter, RIBBON_STAT_DISTINCT_VALUES));
		(void) printf("%-16s %s\n", "code",
					  ribbon_filter_stat(filter, RIBBON_STAT_CODE) == 1 ?
						  "entropy" :
						  "plain");
	}
	put_number("seed", ribbon_filter_stat(filter, RIBBON_STAT_SEED));
	put_number("universe", ribbon_filter_stat(filter, RIBBON_STAT_UNIVERSE));
	if (ribbon_filter_as_of(filter, &as_of))
	{
		(void) ribbon_value_format(as_of, RIBBON_VALUE_TIMESTAMPTZ, time,
								   sizeof(time));
		(void) printf("%-16s %s\n", "as_of", time);
	}
	if (count > 0)
		(void) printf("%-16s %.5g\n", "bits_per_key",
					  8.0 * (double) size / (double) count);
	put_number("ribbon_width", ribbon_filter_stat(filter, RIBBON_STAT_WIDTH));
	put_number("layers", ribbon_filter_stat(filter, RIBBON_STAT_LAYERS));
	put_number("slots", ribbon_filter_stat(filter, RIBBON_STAT_SLOTS));
	put_number("empty_slots",
			   ribbon_filter_stat(filter, RIBBON_STAT_EMPTY_SLOTS));
	put_number("bumped_keys",
			   ribbon_filter_stat(filter, RIBBON_STAT_BUMPED_KEYS));
	put_number("bytes", (int64_t) size);
	put_number("format_version",
			   ribbon_filter_stat(filter, RIBBON_STAT_FORMAT_VERSION));
}

int
command_stats(const Options *options)
{
	for (int i = 0; i < options->nfiles; i++)
	{
		Loaded loaded;

		load(&loaded, options->files[i]);
		if (options->nfiles > 1)
			(void) printf("%s%s:\n", i > 0 ? "\n" : "", options->files[i]);
		put_stats(loaded.filter);
		unload(&loaded);
	}
	return STATUS_YES;
}

int
command_check(const Options *options)
{
	int status = STATUS_YES;

	for (int i = 0; i < options->nfiles; i++)
	{
		Loaded loaded;

		load(&loaded, options->files[i]);
		if (ribbon_filter_check(loaded.filter) != RIBBON_SUCCESS)
		{
			(void) printf("%s: %s\n", options->files[i], ribbon_error_text());
			status = STATUS_NO;
		}
		unload(&loaded);
	}
	return status;
}

int
command_shrink(const Options *options)
{
	Loaded loaded;
	void *bytes;
	size_t size;

	output_check(options);
	load(&loaded, options->files[0]);
	if (ribbon_filter_shrink(loaded.filter, options->fpr, &bytes, &size) !=
		RIBBON_SUCCESS)
		die("%s", ribbon_error_text());
	output_write(options, bytes, size);
	ribbon_bytes_free(bytes);
	unload(&loaded);
	return STATUS_YES;
}
