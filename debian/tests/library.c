/*
 * A program that is built and run against the installed library.
 */
#include <ribbon.h>

int
main(void)
{
	ribbon_builder *builder;
	ribbon_filter *filter;
	void *bytes;
	size_t size;

	if (ribbon_builder_new(&builder, RIBBON_KEY_INTEGER, 0.01) != 0 ||
		ribbon_builder_add(builder, ribbon_key_int64(42)) != 0 ||
		ribbon_builder_finish(builder, &bytes, &size) != 0 ||
		ribbon_filter_open_bytes(&filter, bytes, size) != 0)
		return 1;
	return ribbon_filter_contains(filter, ribbon_key_int64(42)) != 1;
}
