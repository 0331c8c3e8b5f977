//! The place where tests fail or kill a writer: before every change of the file system, and within a write.

/// Passes, unless a test asked for a fault here.
///
/// # Errors
/// The fault that a test asked for.
#[cfg(not(feature = "faults"))]
#[inline]
pub fn point() -> std::io::Result<()> {
    Ok(())
}

#[cfg(feature = "faults")]
pub use armed::{PlantedFault, arm, passed, point};

#[cfg(feature = "faults")]
mod armed {
    use std::cell::Cell;
    use std::io;

    /// The fault that happens at the point.
    #[derive(Clone, Copy, Debug)]
    pub enum PlantedFault {
        /// The system refuses.
        Full,
        /// The process is killed, and nothing of it runs on.
        Kill,
        /// Somebody else does something in between.
        Meanwhile(fn()),
    }

    thread_local! {
        static PASSED: Cell<usize> = const { Cell::new(0) };
        static ARMED: Cell<Option<(usize, PlantedFault)>> = const { Cell::new(None) };
    }

    /// Counts from zero again, and lets the point of this number fail.
    pub fn arm(fault: Option<(usize, PlantedFault)>) {
        PASSED.set(0);
        ARMED.set(fault);
    }

    /// Returns how many points were passed.
    pub fn passed() -> usize {
        PASSED.get()
    }

    /// Passes, unless a test asked for a fault here.
    ///
    /// # Errors
    /// The fault that a test asked for.
    pub fn point() -> io::Result<()> {
        let number = PASSED.get();
        PASSED.set(number + 1);
        match ARMED.get() {
            Some((at, PlantedFault::Full)) if at == number => Err(io::ErrorKind::StorageFull.into()),
            Some((at, PlantedFault::Kill)) if at == number => kill(),
            Some((at, PlantedFault::Meanwhile(act))) if at == number => {
                act();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn kill() -> ! {
        #[cfg(unix)]
        if rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).is_ok() {
            loop {
                std::thread::park();
            }
        }
        std::process::abort()
    }
}
