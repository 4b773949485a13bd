//! `codeagent clean`.

use super::args::CleanArgs;
use super::{json, note};
use crate::error::Result;
use crate::store::WriterLock;
use crate::workspace::Workspace;

pub fn run(workspace: &Workspace, args: &CleanArgs) -> Result<String> {
    let location = &workspace.location;
    let existed = location.exists();
    if location.dir.exists() {
        let lock = match WriterLock::try_acquire(location)? {
            Some(lock) => lock,
            None => {
                note("Waiting for another scan to finish…");
                WriterLock::acquire(location)?
            }
        };
        location.remove()?;
        drop(lock);
    }
    if args.json {
        return json(&serde_json::json!({ "removed": existed }));
    }
    let dir = location.dir.display();
    Ok(if existed {
        format!("Removed the index in {dir}, which all worktrees share\n")
    } else {
        format!("There is no index in {dir}\n")
    })
}
