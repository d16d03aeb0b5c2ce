"""inverse_hash.py - the int8 key that has a given hash

The key hash is public, and of eight bytes XXH3 is a bijection.
"""

import struct

M64 = 2**64 - 1
INVERSE = pow(0x9FB21C651E98DF25, -1, 2**64)


def rotate(x, by):
    return (x << by | x >> 64 - by) & M64


def mix(z):
    z = (z ^ z >> 33) * 0xFF51AFD7ED558CCD & M64
    z = (z ^ z >> 33) * 0xC4CEB9FE1A85EC53 & M64
    return z ^ z >> 33


def unmix(z):
    """The z whose ribbon_mix this is."""
    z = (z ^ z >> 33) * pow(0xC4CEB9FE1A85EC53, -1, 2**64) & M64
    z = (z ^ z >> 33) * pow(0xFF51AFD7ED558CCD, -1, 2**64) & M64
    return z ^ z >> 33


def at_seed(x, seed):
    """The last layer's (rotated) hash that a zone with this seed sees as x."""
    factor = mix((seed + 1) * 0xC2B2AE3D27D4EB4F & M64) | 1
    return x * pow(factor, -1, 2**64) & M64


def eight_bytes(h):
    """The 8 bytes whose XXH3-64 is h: xxhash.h's XXH3_len_4to8_64b, backwards."""
    h ^= h >> 28
    h = (h ^ h >> 56) * INVERSE & M64
    h = (h ^ (h >> 35) + 8) * INVERSE & M64
    for power in range(6):      # f = 1 + x^49 + x^24; f^64 = 1, so 1/f = f^(1+2+4+8+16+32)
        h ^= rotate(h, 49 << power & 63) ^ rotate(h, 24 << power & 63)
    h ^= 0xC73AB174C5ECD5A2     # of XXH3's secret
    return struct.pack("<Q", rotate(h, 32))


def int8_key(h):
    return struct.unpack("<q", eight_bytes(h))[0]
