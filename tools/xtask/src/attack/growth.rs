//! Measures checks of all generated inputs: for a four times larger input, a check must take only about four times
//! as long.

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
    let size = if rounds < 50 { 10_000 } else { 100_000 };
    let mut worst = (0.0, "none");
    let mut longest = (Duration::ZERO, "none");
    for input in inputs() {
        let more = time(victim, &input, size * 4)?;
        longest = longest.max((more, input.name));
        if more > LONGEST {
            return Err(format!("{} bytes of {} took {:.1} s", size * 4, input.name, more.as_secs_f64()));
        }
        // Inputs that are fast are not quadratic.
        if more < LEAST {
            continue;
        }
        let ratio =
            |more: Duration| Ok::<_, String>(more.as_secs_f64() / time(victim, &input, size)?.as_secs_f64());
        let mut least = ratio(more)?;
        // On a busy machine, the measurement is repeated.
        for _ in 0..2 {
            if least < MAX_RATIO {
                break;
            }
            least = least.min(ratio(time(victim, &input, size * 4)?)?);
        }
        if least >= MAX_RATIO {
            return Err(format!("four times {size} bytes of {} take {least:.1} times as long", input.name));
        }
        if least > worst.0 {
            worst = (least, input.name);
        }
    }
    Ok(format!(
        "{} kinds of up to {} bytes; at most {:.1} times as long for four times as much ({}), and {:.1} s ({})",
        inputs().count(),
        size * 4,
        worst.0,
        worst.1,
        longest.0.as_secs_f64(),
        longest.1
    ))
}

fn time(victim: &Target, input: &Input, size: usize) -> Result<Duration, String> {
    victim.clear("s");
    for (path, text) in (input.make)(size) {
        victim.write(format!("s/{path}"), &text)?;
    }
    victim.time(&["check", "s"])
}
