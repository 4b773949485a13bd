//! Compression of stored values. Contexts are kept per thread: making one costs more than packing a row.

use std::cell::RefCell;
use std::io;

const LEVEL: i32 = 3;
/// What one value may unpack to; a larger claim is damage, not data.
const MAX_UNPACKED: usize = 1 << 30;

thread_local! {
    static PACK: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
    static UNPACK: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
}

pub(super) fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    PACK.with_borrow_mut(|context| match context {
        Some(context) => context.compress(bytes),
        None => context.insert(zstd::bulk::Compressor::new(LEVEL)?).compress(bytes),
    })
}

pub(super) fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
    let size = zstd::bulk::Decompressor::upper_bound(packed).filter(|size| *size <= MAX_UNPACKED);
    // No bytes are no frame, though zstd unpacks them to nothing.
    let size = size.filter(|_| !packed.is_empty()).ok_or_else(|| io::Error::other("not a packed value"))?;
    UNPACK.with_borrow_mut(|context| match context {
        Some(context) => context.decompress(packed, size),
        None => context.insert(zstd::bulk::Decompressor::new()?).decompress(packed, size),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_and_refuses_garbage() {
        for text in [&b""[..], b"x", &[7; 100_000]] {
            assert_eq!(unpack(&pack(text).unwrap()).unwrap(), text);
        }
        let packed = pack(&[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        for cut in 0..packed.len() {
            assert!(unpack(&packed[..cut]).is_err(), "a value cut at {cut} must not unpack");
        }
        assert!(unpack(b"garbage, not zstd").is_err());
    }
}
