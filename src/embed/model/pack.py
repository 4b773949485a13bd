"""Packs a trained static model into `builtin.bin`.

    python3 pack.py MODELDIR        needs the `tokenizers` and `blake3` packages

MODELDIR holds emb.i8 (vocabulary x dims, row-major int8), scales.f32 (one factor a row), vocab.txt (a token a
line) and tokenizer.json. The layout written here is read by `../builtin/data.rs`; everything is little-endian:

    magic "CAEMBED1"
    u32   vocabulary, dims, log2(slots), letter ranges, bytes of token text, longest token in bytes
    i8    rows     vocabulary x dims
    f32   scales   vocabulary
    u32   offsets  vocabulary + 1, into the token text
    u8    text     tokens without their "##", one after the other
    u32   slots    open addressing, linear probing; 0 is empty, else fingerprint:13 continuation:1 (id + 1):18
    u32   letters  (first, last) of every range of letters past ASCII, ascending

Letters are what the tokenizer's own regular expression engine calls `\\p{L}`, so that a Unicode table of another
age cannot move a word boundary.
"""
import os, struct, sys
from array import array
from blake3 import blake3
from tokenizers import Regex, pre_tokenizers

START, CONTINUATION, PRIME = 0x811C9DC5, 0x050C5D1F, 0x01000193


def letter_ranges():
    is_letter = pre_tokenizers.Split(Regex(r"\p{L}"), behavior="removed", invert=True).pre_tokenize_str
    ranges = []
    for code in range(0x80, 0x110000):
        if 0xD800 <= code < 0xE000 or not is_letter(chr(code)):
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ranges


def spread(text, continuation):
    """The hash of `builtin/vocab.rs`: FNV-1a, seeded by the kind of token, with its high bits mixed down."""
    h = CONTINUATION if continuation else START
    for byte in text:
        h = (h ^ byte) * PRIME & 0xFFFFFFFF
    return h ^ h >> 15


def slots(tokens):
    bits = (2 * len(tokens)).bit_length()
    table = array("I", bytes(4 << bits))
    for id, (text, continuation) in enumerate(tokens):
        if text is None:
            continue
        h = spread(text, continuation)
        at = h & (1 << bits) - 1
        while table[at]:
            at = at + 1 & (1 << bits) - 1
        table[at] = h >> 19 << 19 | continuation << 18 | id + 1
    return bits, table


def main(source):
    read = lambda name: open(os.path.join(source, name), "rb").read()
    names = read("vocab.txt").decode().rstrip("\n").split("\n")
    # [PAD] and [UNK] are never produced from text: they keep their ids and get no text and no slot.
    tokens = [(None, 0), (None, 0)]
    tokens += [(n[2:].encode(), 1) if n.startswith("##") and len(n) > 2 else (n.encode(), 0) for n in names[2:]]
    assert names[:2] == ["[PAD]", "[UNK]"] and len(tokens) + 1 < 1 << 18
    rows, scales = read("emb.i8"), read("scales.f32")
    dims = len(rows) // len(tokens)
    assert len(rows) == dims * len(tokens) and len(scales) == 4 * len(tokens)
    text, offsets = bytearray(), array("I", [0])
    for token, _ in tokens:
        text += token or b""
        offsets.append(len(text))
    bits, table = slots(tokens)
    letters = letter_ranges()
    longest = max(len(t) for t, _ in tokens if t)
    packed = b"CAEMBED1" + struct.pack("<6I", len(tokens), dims, bits, len(letters), len(text), longest)
    packed += rows + scales + offsets.tobytes() + bytes(text) + table.tobytes()
    packed += b"".join(struct.pack("<II", *r) for r in letters)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "builtin.bin"), "wb") as out:
        out.write(packed)
    print(f"{len(packed)} bytes, {len(tokens)} tokens, {dims} dims, revision {blake3(packed).hexdigest()[:16]}")


assert sys.byteorder == "little" and array("I").itemsize == 4
main(sys.argv[1])
