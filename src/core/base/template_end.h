/*
 * template_end.h - forget what template.h has defined
 */
#undef RIBBON_GLUE3
#undef RIBBON_GLUE
#undef ROW
#undef ROW_FN
#undef NAME
