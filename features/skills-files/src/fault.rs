//! Lets tests fail or kill a writer: before every change of the file system, and within a write.

/// Does nothing, unless a test requested a fault at this point.
///
/// # Errors
/// The fault that the test requested.
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
        /// The system refuses the operation.
        Full,
        /// The process is killed.
        Kill,
        /// Another process changes something at this point.
        Meanwhile(fn()),
    }

    thread_local! {
        static PASSED: Cell<usize> = const { Cell::new(0) };
        static ARMED: Cell<Option<(usize, PlantedFault)>> = const { Cell::new(None) };
    }

    /// Restarts the count, and requests a fault at the point with this number.
    pub fn arm(fault: Option<(usize, PlantedFault)>) {
        PASSED.set(0);
        ARMED.set(fault);
    }

    /// Returns the number of points that were passed.
    pub fn passed() -> usize {
        PASSED.get()
    }

    /// Counts the point, and causes the fault if it was requested here.
    ///
    /// # Errors
    /// The fault that the test requested.
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
