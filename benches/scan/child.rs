//! Runs a command and measures it: wall time, CPU time and peak memory of just this child.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[derive(Debug, Clone, Copy)]
pub struct Usage {
    pub wall: Duration,
    /// User and system time of all its threads; zero where the system does not say.
    pub cpu: Duration,
    /// Peak resident bytes, mapped files included; zero where the system does not say.
    pub peak: u64,
}

/// The output of a command that must succeed, and what it took.
pub fn run(command: &mut Command) -> Result<(Vec<u8>, Usage)> {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let mut output = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        std::io::Read::read_to_end(&mut stdout, &mut output)?;
    }
    let (success, cpu, peak) = wait(child)?;
    let wall = start.elapsed();
    if !success {
        return Err(format!("failed: {command:?}").into());
    }
    Ok((output, Usage { wall, cpu, peak }))
}

/// The output as text, where the cost is of no interest.
pub fn text(command: &mut Command) -> Result<String> {
    Ok(String::from_utf8_lossy(&run(command)?.0).trim().to_owned())
}

#[cfg(unix)]
fn wait(child: std::process::Child) -> Result<(bool, Duration, u64)> {
    let mut status = 0;
    // SAFETY: a `rusage` is integers only, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live variables of the type asked for. The child is ours and nobody else
    // waits for it, so the id still names it.
    while unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage) } < 0 {
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error.into());
        }
    }
    let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
    // Bytes on Apple's systems, KiB elsewhere.
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    let success = libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0;
    Ok((success, time(usage.ru_utime) + time(usage.ru_stime), usage.ru_maxrss as u64 * unit))
}

#[cfg(not(unix))]
fn wait(mut child: std::process::Child) -> Result<(bool, Duration, u64)> {
    Ok((child.wait()?.success(), Duration::ZERO, 0))
}
