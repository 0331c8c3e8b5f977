//! Measures the cost of search: the time and allocations of a look-up, and the build time for the index.

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use skills_registry::{CompiledFile, CompiledSkill, Facts, Layout, Registry, write};

/// An allocator that counts allocations.
struct Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(memory) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, memory: Memory) {
        unsafe { System.dealloc(pointer, memory) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A pseudo-random number generator with the same sequence in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    /// Returns one of 8,000 words. As in a natural language, the first ones are in most texts.
    fn word(&mut self) -> String {
        let most = [40, 400, 2_000, 8_000][self.below(4)];
        let mut at = self.below(most) + 17;
        let mut word = String::new();
        while at > 0 {
            word.push_str(["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te"][at % 12]);
            at /= 12;
        }
        word
    }

    fn words(&mut self, count: usize) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

fn registry(count: usize) -> (Registry, f64) {
    let mut numbers = Numbers(88_172_645_463_325_252);
    let texts: Vec<(String, String)> = (0..count)
        .map(|_| (numbers.words(24), format!("# {}\n\n{}", numbers.words(4), numbers.words(420))))
        .collect();
    let skills: Vec<CompiledSkill<'_>> = texts
        .iter()
        .enumerate()
        .map(|(at, (description, body))| {
            let facts = Facts {
                name: format!("skill-{at:05}"),
                description: description.clone(),
                body: Some(0..body.len()),
                model_invocable: true,
                ..Facts::default()
            };
            let files = vec![CompiledFile { path: "SKILL.md", bytes: body.as_bytes(), executable: false, sha256: [0; 32] }];
            CompiledSkill { files, ..facts.into() }
        })
        .collect();
    let before = cpu();
    let tables = write(&skills, Layout::Joined, 8_000).unwrap().into_tables();
    (Registry::new(tables), cpu() - before)
}

fn main() {
    let argument = std::env::args().nth(1);
    if argument.as_deref() == Some("write") {
        return println!("= index.write {:.3}", registry(1_000).1);
    }
    // An argument sets the number of skills: a small number only shows that the program works.
    let count = argument.map_or(5_000, |count| count.parse().expect("`write`, or a number of skills"));
    let (skills, _) = registry(count);
    let mut numbers = Numbers(7);
    let plain: Vec<String> = (0..200).map(|_| numbers.words(8)).collect();
    // One letter of each word is replaced, so that the search has to find similar words.
    let mistyped: Vec<String> = plain
        .iter()
        .map(|query| {
            let words = query.split(' ').map(|word| match word.len() {
                0..4 => word.to_owned(),
                length => format!("{}x{}", &word[..length - 2], &word[length - 1..]),
            });
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    for (title, queries) in [("words", &plain), ("mistyped", &mistyped)] {
        let mut times: Vec<f64> = Vec::new();
        let mut allocated = 0;
        for query in queries {
            let mut best = f64::MAX;
            for _ in 0..20 {
                let counted = COUNT.load(Ordering::Relaxed);
                let start = Instant::now();
                black_box(skills.search(black_box(query)).take(5).map(|hit| hit.score).sum::<f32>());
                best = best.min(start.elapsed().as_secs_f64() * 1e6);
                allocated += COUNT.load(Ordering::Relaxed) - counted;
            }
            times.push(best);
        }
        times.sort_by(f64::total_cmp);
        let at = |part: usize| times[(times.len() - 1) * part / 100];
        println!(
            "{title} among {count} skills: {:.0} µs in the middle, {:.0} at most; {allocated} allocations",
            at(50),
            at(100)
        );
        println!("= search.{title} {:.1}", at(95));
    }
}
