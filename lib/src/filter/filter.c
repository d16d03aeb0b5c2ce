/*
 * filter.c - opening the bytes of a filter or map, and what they say of it
 */
#define _FILE_OFFSET_BITS 64
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the library, unlike the core, reads: the values of a map. */
static RibbonStatus
open_values(ribbon_filter *filter)
{
	RibbonStatus status = RIBBON_OK;

	if (filter->core.has_values)
		status = ribbon_values_check_class(&filter->core);
	if (status == RIBBON_OK && filter->core.ndictionary > 0)
		status = ribbon_dictionary_open(&filter->core, &filter->dictionary);
	return status;
}

ribbon_status
ribbon_filter_open_bytes(ribbon_filter **filter, const void *bytes, size_t size)
{
	ribbon_filter *opened = calloc(1, sizeof(ribbon_filter));
	RibbonStatus status;

	if (opened == NULL)
		return ribbon_error_memory();
	status = ribbon_open(size > 0 ? bytes : (const void *) "", size,
						 &opened->core);
	if (status == RIBBON_OK)
		status = open_values(opened);
	if (status == RIBBON_OK)
		*filter = opened;
	else
		free(opened);
	return ribbon_error_core(status);
}

/*
 * The file's bytes in memory; NULL, and errno is set, if that cannot be: to
 * ESPIPE if it is none whose bytes can be mapped.
 */
static void *
map_file(const char *path, size_t *size)
{
	/* to open a pipe would wait for its writer */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat stat;
	void *mapped = MAP_FAILED;
	int saved;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &stat) == 0)
	{
		errno = S_ISDIR(stat.st_mode)			   ? EISDIR :
			!S_ISREG(stat.st_mode)				   ? ESPIPE :
			(uint64_t) stat.st_size > SIZE_MAX / 2 ? EFBIG :
													 0;
		*size = (size_t) stat.st_size;
		if (errno == 0)
			mapped = mmap(NULL, *size > 0 ? *size : 1, PROT_READ, MAP_SHARED,
						  fd, 0);
	}
	saved = errno;
	(void) close(fd);
	errno = saved;
	return mapped == MAP_FAILED ? NULL : mapped;
}

ribbon_status
ribbon_filter_open_file(ribbon_filter **filter, const char *path)
{
	size_t size = 0;
	void *mapped = map_file(path, &size);
	ribbon_status status;

	if (mapped == NULL && errno == ESPIPE)
		return ribbon_error_set(RIBBON_ERROR_FILE,
								"could not open \"%.512s\": it is a pipe or device",
								path);
	if (mapped == NULL)
		return ribbon_error_file("open", path);
	status = ribbon_filter_open_bytes(filter, mapped, size);
	if (status == RIBBON_SUCCESS)
		(*filter)->mapped = mapped;
	else
	{
		(void) munmap(mapped, size > 0 ? size : 1);
		ribbon_error_prefix(path);
	}
	return status;
}

void
ribbon_filter_close(ribbon_filter *filter)
{
	if (filter == NULL)
		return;
	if (filter->mapped != NULL)
		(void) munmap(filter->mapped, (size_t) filter->core.total_bytes);
	free(filter);
}

const void *
ribbon_filter_bytes(const ribbon_filter *filter, size_t *size)
{
	*size = (size_t) filter->core.total_bytes;
	return filter->core.bytes;
}

bool
ribbon_filter_is_map(const ribbon_filter *filter)
{
	return filter->core.has_values;
}

int
ribbon_filter_key_type(const ribbon_filter *filter)
{
	return filter->core.key_class;
}

uint64_t
ribbon_filter_count(const ribbon_filter *filter)
{
	return filter->core.nkeys;
}

double
ribbon_filter_fpr(const ribbon_filter *filter)
{
	return ribbon_fpr(&filter->core);
}

ribbon_kind
ribbon_filter_kind(const ribbon_filter *filter)
{
	RibbonInfo info;

	ribbon_info(&filter->core, &info);
	return (ribbon_kind) info.kind;
}

ribbon_value_type
ribbon_filter_value_type(const ribbon_filter *filter)
{
	return (ribbon_value_type) filter->core.value_class;
}

size_t
ribbon_filter_value_type_name(const ribbon_filter *filter, char *buffer,
							  size_t room)
{
	const RibbonDictionary *dictionary = &filter->dictionary;
	const char *schema = (const char *) dictionary->schema;
	const char *type = (const char *) dictionary->type;
	int nschema;
	int ntype;
	bool is_plain;

	if (filter->core.ndictionary == 0)
		return (size_t)
			snprintf(buffer, room, "%s",
					 filter->core.has_values ?
						 ribbon_values_type_name(filter->core.value_class) :
						 "");

	/* where they were when it was opened, even if bytes have changed */
	nschema = (int) (type - schema) - 1;
	ntype = (int) ((const char *) filter->core.dictionary +
				   dictionary->ends_at - type) -
		1;
	if (ntype > *dictionary->type)
		ntype = *dictionary->type;
	is_plain = nschema == (int) strlen("pg_catalog") &&
		memcmp(schema + 1, "pg_catalog", (size_t) nschema) == 0;
	return (size_t) snprintf(buffer, room, "%.*s%s%.*s", is_plain ? 0 : nschema,
							 schema + 1, is_plain ? "" : ".", ntype, type + 1);
}

int64_t
ribbon_filter_stat(const ribbon_filter *filter, ribbon_stat stat)
{
	const RibbonFilter *core = &filter->core;
	RibbonInfo info;
	bool is_coded;

	ribbon_info(core, &info);
	is_coded = core->has_values && info.coding == RIBBON_CODING_ENTROPY;
	switch (stat)
	{
		case RIBBON_STAT_FORMAT_VERSION:
			return RIBBON_FORMAT_VERSION;
		case RIBBON_STAT_WIDTH:
			return info.width;
		case RIBBON_STAT_LAYERS:
			return info.nlayers;
		case RIBBON_STAT_SLOTS:
			return (int64_t) info.nslots;
		case RIBBON_STAT_EMPTY_SLOTS:
			return (int64_t) info.empty_slots;
		case RIBBON_STAT_BUMPED_KEYS:
			return (int64_t) info.bumped_keys;
		case RIBBON_STAT_VALUE_BITS:
			return core->has_values ? core->value_bits : -1;
		case RIBBON_STAT_DISTINCT_VALUES:
			if (core->ndictionary > 0)
				return (int64_t) filter->dictionary.nvalues;
			return is_coded ? (int64_t) info.nvalues : -1;
		case RIBBON_STAT_SEED:
			return core->has_values || core->is_exact ? (int64_t) core->seed :
														-1;
		case RIBBON_STAT_DICTIONARY:
			return core->has_values ? (int64_t) core->ndictionary : -1;
		case RIBBON_STAT_CODE:
			return core->has_values ? (int64_t) info.coding : -1;
		case RIBBON_STAT_TABLE:
			return core->has_values ? (int64_t) info.table_bytes : -1;
		case RIBBON_STAT_CODE_BITS:
			return core->has_values ? (int64_t) info.code_bits : -1;
		case RIBBON_STAT_UNIVERSE:
			return core->is_exact ? (int64_t) core->universe : -1;
		case RIBBON_STAT_RATED:
			return core->is_exact ? core->has_rate : -1;
	}
	return -1;
}

bool
ribbon_filter_as_of(const ribbon_filter *filter, int64_t *as_of)
{
	if (filter->core.has_as_of)
		*as_of = filter->core.as_of;
	return filter->core.has_as_of;
}

ribbon_status
ribbon_filter_check(const ribbon_filter *filter)
{
	RibbonStatus status = ribbon_check(&ribbon_malloc_env, &filter->core);

	if (status == RIBBON_OK)
		status = ribbon_dictionary_check(&ribbon_malloc_env, &filter->core);
	return ribbon_error_core(status);
}

ribbon_status
ribbon_filter_shrink(const ribbon_filter *filter, double fpr, void **bytes,
					 size_t *size)
{
	uint8_t *shrunk = NULL;
	RibbonStatus status;

	if (filter->core.has_values)
		return ribbon_error_set(RIBBON_ERROR_NOT_A_FILTER,
								"a map cannot be made smaller");
	status = ribbon_shrink(&ribbon_malloc_env, &filter->core, fpr, 0, &shrunk,
						   size);
	if (status == RIBBON_OK)
		*bytes = shrunk;
	return ribbon_error_core(status);
}
