/*
 * assert.h - for xxhash.h, which asserts only what is known to the compiler
 */
#ifndef RIBBON_WASM_ASSERT_H
#define RIBBON_WASM_ASSERT_H

#define static_assert _Static_assert

#endif /* RIBBON_WASM_ASSERT_H */
