//! Measures checks of all generated inputs: for a four times larger input, a check must take only about four times
//! as long.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use test_bed::inputs::{Input, inputs};

use super::Target;

/// The maximum ratio of times for four times the size. It is the geometric middle between linear growth
/// beyond the processor's cache (five to six) and quadratic growth (sixteen).
const MAX_RATIO: f64 = 9.0;

/// The minimum time of a check for a meaningful ratio, and the maximum time of any check here.
const LEAST: Duration = Duration::from_millis(400);
const LONGEST: Duration = Duration::from_secs(60);

pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    let size = if rounds < 50 { 2_000 } else { 100_000 };
    let inputs: Vec<Input> = inputs().collect();
    // One input after the other for each processor: times are those of the CPU, so that neighbours do not count.
    let next = AtomicUsize::new(0);
    let work = |number: usize| {
        let place = format!("s{number}");
        let mut measured = Vec::new();
        while let Some(input) = inputs.get(next.fetch_add(1, Ordering::Relaxed)) {
            measured.push(measure(victim, &place, input, size)?);
        }
        Ok::<_, String>(measured)
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let measured = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|number| scope.spawn(move || work(number))).collect();
        let joined = threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "a measurement panicked".to_owned())?);
        joined.collect::<Result<Vec<_>, String>>()
    })?;
    let measured: Vec<Growth> = measured.into_iter().flatten().collect();
    let longest = measured.iter().max_by_key(|growth| growth.time).ok_or("there are no inputs")?;
    let steepest = measured.iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio)).unwrap_or(longest);
    Ok(format!(
        "{} kinds of up to {} bytes; at most {:.1} times as long for four times as much ({}), and {:.1} s ({})",
        inputs.len(),
        size * 4,
        steepest.ratio,
        steepest.name,
        longest.time.as_secs_f64(),
        longest.name
    ))
}

/// The time for an input of four times the size, and how many times as long it took as one of the size.
struct Growth {
    name: &'static str,
    time: Duration,
    ratio: f64,
}

fn measure(victim: &Target, place: &str, input: &Input, size: usize) -> Result<Growth, String> {
    let more = time(victim, place, input, size * 4)?;
    let name = input.name;
    if more > LONGEST {
        return Err(format!("{} bytes of {name} took {:.1} s", size * 4, more.as_secs_f64()));
    }
    // Inputs that are fast are not quadratic.
    if more < LEAST {
        return Ok(Growth { name, time: more, ratio: 0.0 });
    }
    let ratio = |more: Duration| {
        Ok::<_, String>(more.as_secs_f64() / time(victim, place, input, size)?.as_secs_f64())
    };
    let mut least = ratio(more)?;
    // On a busy machine, the measurement is repeated.
    for _ in 0..2 {
        if least < MAX_RATIO {
            break;
        }
        least = least.min(ratio(time(victim, place, input, size * 4)?)?);
    }
    if least >= MAX_RATIO {
        return Err(format!("four times {size} bytes of {name} take {least:.1} times as long"));
    }
    Ok(Growth { name, time: more, ratio: least })
}

fn time(victim: &Target, place: &str, input: &Input, size: usize) -> Result<Duration, String> {
    victim.clear(place);
    for (path, text) in (input.make)(size) {
        victim.write(format!("{place}/{path}"), &text)?;
    }
    victim.time(&["check", place])
}
