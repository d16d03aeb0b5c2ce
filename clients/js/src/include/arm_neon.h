/*
 * arm_neon.h - for xxhash.h, which from version 0.8.3 on includes clang's, for
 * WebAssembly too, where it stops the compiler; nothing of it is used
 */
#ifndef RIBBON_WASM_ARM_NEON_H
#define RIBBON_WASM_ARM_NEON_H

#endif /* RIBBON_WASM_ARM_NEON_H */
