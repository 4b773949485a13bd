//! Counts the memory that the parser asks for.
//!
//! While a grammar is lost, every step may copy all that was read so far: minutes and gigabytes for a few
//! kilobytes of text, in steps that are not many. What was asked for since the parse began, whether given back
//! or not, bounds both, and is the same on every machine.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Once;

use libc::{calloc, free, malloc, realloc};
use tree_sitter::Allocator;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

/// Begins to count for this thread, from zero.
pub fn begin() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(install);
    ASKED.set(0);
}

/// How many bytes this thread has asked for since it began to count.
pub fn asked() -> usize {
    ASKED.get()
}

/// Safety: all four functions hand on to those that are in use without this, so that what was allocated before
/// may be freed after, and the other way round.
#[allow(unsafe_code)]
fn install() {
    unsafe extern "C" fn counted_malloc(size: usize) -> *mut c_void {
        count(size);
        or_abort(unsafe { malloc(size) }, size)
    }
    unsafe extern "C" fn counted_calloc(items: usize, size: usize) -> *mut c_void {
        let bytes = items.saturating_mul(size);
        count(bytes);
        or_abort(unsafe { calloc(items, size) }, bytes)
    }
    unsafe extern "C" fn counted_realloc(old: *mut c_void, size: usize) -> *mut c_void {
        count(size);
        or_abort(unsafe { realloc(old, size) }, size)
    }
    let allocator =
        Allocator { malloc: counted_malloc, calloc: counted_calloc, realloc: counted_realloc, free };
    unsafe { tree_sitter::set_allocator(Some(allocator)) };
}

fn count(bytes: usize) {
    // A tree may be dropped while its thread ends.
    let _ = ASKED.try_with(|asked| asked.set(asked.get().saturating_add(bytes)));
}

/// The parser does not look at what it is given.
fn or_abort(given: *mut c_void, size: usize) -> *mut c_void {
    if given.is_null() && size > 0 {
        std::process::abort();
    }
    given
}
