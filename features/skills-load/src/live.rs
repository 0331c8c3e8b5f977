//! A snapshot of layers that can be replaced by a newer one while others continue to use the old one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::builder::LayersBuilder;
use super::changes::Changes;
use super::problem::Unreadable;
use skills_runtime::layers::Layers;

/// Layers that can be reloaded.
///
/// Share it by reference or in an `Arc`. The result of [`layers`](Self::layers) never changes; a later call
/// returns a newer snapshot if there is one.
///
/// ```
/// use skills_load::{LayersBuilder, Live};
/// # let dir = std::env::temp_dir().join(format!("skills-live-example-{}", std::process::id()));
/// # std::fs::create_dir_all(dir.join("pdf"))?;
/// let skills = Live::new(LayersBuilder::new().directory(&dir))?;
/// let before = skills.layers();
/// std::fs::write(dir.join("pdf/SKILL.md"), "---\nname: pdf\ndescription: Reads PDF files.\n---\n")?;
/// assert_eq!(skills.reload()?.added, ["pdf"]);
/// assert!(before.is_empty() && skills.layers().get("pdf").is_some());
/// # std::fs::remove_dir_all(&dir)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Live {
    builder: LayersBuilder,
    current: RwLock<Arc<Layers>>,
    /// The generation of the servers before the last reading.
    generation: AtomicU64,
    /// This lock is held while reading, so that an older result never replaces a newer one.
    reading: Mutex<()>,
}

impl Live {
    /// Reads all layers for the first time.
    ///
    /// # Errors
    /// See [`LayersBuilder::load`].
    pub fn new(builder: LayersBuilder) -> Result<Self, Unreadable> {
        let generation = builder.generation();
        let layers = builder.load()?;
        let live = Self::with(builder, layers);
        live.generation.store(generation, Ordering::Release);
        Ok(live)
    }

    /// Starts with existing layers, such as those in an [`Unreadable`]: a program can continue with them, and
    /// a reload succeeds once the directory can be read.
    pub fn with(builder: LayersBuilder, layers: Layers) -> Self {
        let generation = AtomicU64::new(builder.generation());
        Self { builder, current: RwLock::new(Arc::new(layers)), generation, reading: Mutex::new(()) }
    }

    /// Returns the skills of the last reading.
    pub fn layers(&self) -> Arc<Layers> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads all layers again, replaces the old ones atomically, and returns the changes.
    ///
    /// # Errors
    /// See [`LayersBuilder::load`]. The skills then stay unchanged.
    pub fn reload(&self) -> Result<Changes, Unreadable> {
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = self.builder.generation();
        let after = Arc::new(self.builder.load()?);
        self.generation.store(generation, Ordering::Release);
        let before = {
            let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *current, Arc::clone(&after))
        };
        Ok(Changes::between(&before, after))
    }

    /// Returns `true` if a server has said that its skills have changed since they were read.
    pub fn is_outdated(&self) -> bool {
        self.generation.load(Ordering::Acquire) != self.builder.generation()
    }

    #[cfg(feature = "watch")]
    pub(super) fn builder(&self) -> &LayersBuilder {
        &self.builder
    }
}
