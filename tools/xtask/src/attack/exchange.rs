//! Replaces a source directory with a link to another place, back and forth, during an installation: nothing
//! may be copied from there.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::Target;

#[cfg(not(unix))]
pub(super) fn attack(_: &Target, _: usize) -> Result<String, String> {
    Ok("there are no such links here".to_owned())
}

#[cfg(unix)]
pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    for (root, word) in [("s", "inside"), ("elsewhere", "secret")] {
        let document = "---\nname: it\ndescription: It is read.\n---\nBody.\n";
        victim.write(format!("{root}/it/SKILL.md"), document)?;
        for at in 0..6 {
            victim.write(format!("{root}/it/data/{at}.txt"), word)?;
        }
    }
    let (place, away, link) = (victim.path("s/it/data"), victim.path("away"), victim.path("link"));
    let made = std::os::unix::fs::symlink(victim.path("elsewhere/it/data"), &link);
    made.map_err(|error| error.to_string())?;
    let (stop, mut leaks, mut installed) = (AtomicBool::new(false), 0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| exchange(&stop, &place, &away, &link));
        let outcome = (0..rounds).try_for_each(|_| {
            victim.clear("t");
            let output = victim.run(&["install", "--dir", "s", "--to", "t"])?;
            installed += usize::from(output.status.success());
            let read = |at| std::fs::read_to_string(victim.path(&format!("t/skills/it/data/{at}.txt")));
            leaks += usize::from((0..6).any(|at| read(at).is_ok_and(|text| text.contains("secret"))));
            Ok::<(), String>(())
        });
        stop.store(true, Ordering::Relaxed);
        outcome
    })?;
    if leaks > 0 {
        return Err(format!("{leaks} of {rounds} installations copied a file from elsewhere"));
    }
    Ok(format!("0 of {rounds} installations copied a file from elsewhere, {installed} ended well"))
}

/// Replaces the directory with the link, and back.
#[cfg(unix)]
pub(super) fn exchange(stop: &AtomicBool, place: &Path, away: &Path, link: &Path) {
    let mut pause = 0;
    while !stop.load(Ordering::Relaxed) {
        for (from, to) in [(place, away), (link, place), (place, link), (away, place)] {
            // A later round undoes each rename, so failures do not persist.
            let _: std::io::Result<()> = std::fs::rename(from, to);
            pause = (pause + 37) % 700;
            std::thread::sleep(Duration::from_micros(if to == place { pause } else { 0 }));
        }
    }
}
