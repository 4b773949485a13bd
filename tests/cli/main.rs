//! Runs the real `codeagent` binary on temporary repositories: what scripts, hooks and people rely on.
//!
//! One test binary for all of it, so that it is linked once. Each test has a sandbox of its own (repository,
//! home directory, environment) and may run beside any other.

mod sandbox;
#[path = "../support/mod.rs"]
mod support;

mod config;
mod contract;
mod encodings;
mod guards;
mod help;
mod human;
mod manifest;
mod names;
mod outline;
mod search;
mod store_damage;
mod store_disk;
mod store_kill;
mod store_lock;
