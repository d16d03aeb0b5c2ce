/*
 * about.c - ribbon stats, ribbon check, ribbon shrink
 */
#include "command.h"

#include "command/files/load.h"
#include "command/files/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void
put_text(const char *name, const char *text)
{
	(void) printf("%-16s %s\n", name, text);
}

static void
put_real(const char *name, double number)
{
	(void) printf("%-16s %.5g\n", name, number);
}

static void
put_number(const char *name, uint64_t number)
{
	(void) printf("%-16s %" PRIu64 "\n", name, number);
}

/* One that a filter may not have. */
static void
put_stat(const char *name, const ribbon_filter *filter, ribbon_stat stat)
{
	int64_t number = ribbon_filter_stat(filter, stat);

	if (number >= 0)
		put_number(name, (uint64_t) number);
}

static void
put_values(const ribbon_filter *filter)
{
	char value_type[520];

	(void) ribbon_filter_value_type_name(filter, value_type,
										 sizeof(value_type));
	put_text("value_type", value_type);
	put_stat("value_bits", filter, RIBBON_STAT_VALUE_BITS);
	put_stat("distinct_values", filter, RIBBON_STAT_DISTINCT_VALUES);
	put_text("code",
			 ribbon_filter_stat(filter, RIBBON_STAT_CODE) ==
					 RIBBON_VALUES_ENTROPY ?
				 "entropy" :
				 "plain");
}

/* Most of what ribbon_stats says on the server, and the seed. */
static void
put_stats(const ribbon_filter *filter)
{
	static const char *const kinds[] = {"burr", "homogeneous", "", "exact"};
	bool is_map = ribbon_filter_is_map(filter);
	uint64_t count = ribbon_filter_count(filter);
	int64_t as_of;
	size_t size;

	(void) ribbon_filter_bytes(filter, &size);
	put_text("kind", is_map ? "map" : kinds[ribbon_filter_kind(filter)]);
	put_text("key_type", key_type_name(ribbon_filter_key_type(filter)));
	put_number("keys", count);
	put_real("fpr", ribbon_filter_fpr(filter));
	if (is_map)
		put_values(filter);
	put_stat("seed", filter, RIBBON_STAT_SEED);
	put_stat("universe", filter, RIBBON_STAT_UNIVERSE);
	if (ribbon_filter_as_of(filter, &as_of))
	{
		char time[48];

		(void) ribbon_value_format(as_of, RIBBON_VALUE_TIMESTAMPTZ, time,
								   sizeof(time));
		put_text("as_of", time);
	}
	if (count > 0)
		put_real("bits_per_key", 8.0 * (double) size / (double) count);
	put_stat("ribbon_width", filter, RIBBON_STAT_WIDTH);
	put_stat("layers", filter, RIBBON_STAT_LAYERS);
	put_stat("slots", filter, RIBBON_STAT_SLOTS);
	put_stat("empty_slots", filter, RIBBON_STAT_EMPTY_SLOTS);
	put_stat("bumped_keys", filter, RIBBON_STAT_BUMPED_KEYS);
	put_number("bytes", size);
	put_stat("format_version", filter, RIBBON_STAT_FORMAT_VERSION);
}

int
command_stats(const Options *options)
{
	for (int i = 0; i < options->files.n; i++)
	{
		Loaded loaded;

		load(&loaded, options->files.names[i]);
		if (options->files.n > 1)
			(void) printf("%s%s:\n", i > 0 ? "\n" : "",
						  options->files.names[i]);
		put_stats(loaded.filter);
		unload(&loaded);
	}
	return STATUS_YES;
}

int
command_check(const Options *options)
{
	int status = STATUS_YES;

	for (int i = 0; i < options->files.n; i++)
	{
		Loaded loaded;
		int of_file = load_any(&loaded, options->files.names[i]);

		if (of_file == STATUS_YES &&
			ribbon_filter_check(loaded.filter) != RIBBON_SUCCESS)
			of_file = STATUS_NO;
		if (of_file == STATUS_NO)
			(void) printf("%s: %s\n", options->files.names[i],
						  ribbon_error_text());
		if (of_file > status)
			status = of_file;
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

	if (options->files.n > 1 || !options->output.has_fpr)
		die("ribbon shrink needs --fpr and one filter");
	output_check(&options->output, &options->files, &options->after);
	load(&loaded, options->files.names[0]);
	need_success(ribbon_filter_shrink(loaded.filter, options->output.fpr,
									  &bytes, &size));
	output_write(&options->output, bytes, size);
	ribbon_bytes_free(bytes);
	unload(&loaded);
	return STATUS_YES;
}
