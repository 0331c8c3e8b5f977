//! Removes a directory with its contents, at any depth. A program that has ended may have created it.

use std::ffi::OsStr;
use std::io;

use rustix::fs::{Mode, fchmod, fstat};

use crate::{Dir, is};

impl Dir {
    /// Removes an entry with everything below it. A missing entry is not an error, and links are not followed.
    ///
    /// Deep directories are moved to the top first, so that neither the stack nor the number of descriptors grows
    /// with the depth. If the owner has no permissions for a directory, they are added.
    ///
    /// # Errors
    /// The first error of the system, if something could not be removed.
    pub fn remove_tree(&self, name: &OsStr) -> io::Result<()> {
        let top = match self.open_up(name) {
            Ok(top) => top,
            Err(error) if is(&error, io::ErrorKind::NotFound) => return Ok(()),
            Err(error) if is(&error, io::ErrorKind::NotADirectory) => return self.remove_file(name),
            Err(error) => return Err(error),
        };
        let mut lifted = 0_u64;
        loop {
            let (before, mut is_less, mut first) = (lifted, false, None);
            for inner in top.names()? {
                match top.flatten(&inner, &top, &mut lifted) {
                    Ok(()) => is_less = true,
                    Err(error) => first = first.or(Some(error)),
                }
            }
            match self.remove_dir(name) {
                Ok(()) => return Ok(()),
                Err(error) if is(&error, io::ErrorKind::NotFound) => return Ok(()),
                Err(error) if !is_less && lifted == before => return Err(first.unwrap_or(error)),
                Err(_) => {}
            }
        }
    }

    /// Removes a file, or empties a directory and removes it: files are removed, and directories are moved to the
    /// top. An entry that cannot be removed does not prevent the removal of the others.
    fn flatten(&self, name: &OsStr, top: &Self, lifted: &mut u64) -> io::Result<()> {
        let Err(error) = self.remove_file(name) else { return Ok(()) };
        let directory = match self.open_up(name) {
            Err(other) if is(&other, io::ErrorKind::NotADirectory) => return Err(error),
            directory => directory?,
        };
        let mut first = None;
        for inner in directory.names()? {
            if let Err(error) = directory.remove_file(&inner)
                && let Err(other) = directory.lift(&inner, top, lifted)
            {
                let is_directory = !is(&other, io::ErrorKind::NotADirectory);
                first = first.or(Some(if is_directory { other } else { error }));
            }
        }
        self.remove_dir(name).map_err(|error| first.unwrap_or(error))
    }

    /// Moves a directory to the top under a new unique name.
    fn lift(&self, name: &OsStr, top: &Self, lifted: &mut u64) -> io::Result<()> {
        // Moving a directory writes to it, since it contains the name `..`.
        self.open_up(name)?;
        let new = format!(".lifted-{}-{lifted}", std::process::id());
        self.rename(name, top, new.as_ref())?;
        *lifted += 1;
        Ok(())
    }

    /// Opens a directory after giving its owner the permissions to read and write it.
    fn open_up(&self, name: &OsStr) -> io::Result<Self> {
        let opened = match self.open_dir(name) {
            Err(error) if is(&error, io::ErrorKind::PermissionDenied) => {
                self.allow(name)?;
                self.open_dir(name)?
            }
            opened => opened?,
        };
        let mode = Mode::from_raw_mode(fstat(&opened.0)?.st_mode);
        if !mode.contains(Mode::RWXU) {
            fchmod(&opened.0, mode | Mode::RWXU)?;
        }
        Ok(opened)
    }

    /// Gives the owner of an unreadable directory all permissions. Links are not followed, even if one replaces the
    /// directory meanwhile.
    #[cfg(target_os = "linux")]
    fn allow(&self, name: &OsStr) -> io::Result<()> {
        use std::os::fd::AsRawFd;
        use std::os::unix::fs::PermissionsExt;

        use rustix::fs::{OFlags, openat};
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let found = openat(&self.0, &*crate::unix::c_name(name)?, flags, Mode::empty())?;
        // `fchmodat` follows links on Linux before 6.6.
        let path = format!("/proc/self/fd/{}", found.as_raw_fd());
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))
    }

    #[cfg(not(target_os = "linux"))]
    fn allow(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::chmodat(
            &self.0,
            &*crate::unix::c_name(name)?,
            Mode::RWXU,
            rustix::fs::AtFlags::SYMLINK_NOFOLLOW,
        )?)
    }
}
