//! The `--input` option of `exec` and `call`.

use std::io::Read;
use std::process::ExitCode;

use crate::failure;

/// The largest input, in bytes. The check holds several copies of it in memory.
const MAX_INPUT: u64 = 64 << 20;

/// Returns the text of the option, or the text of standard input for `-`. Returns `None` if the option is
/// unset.
pub fn read(given: Option<&str>) -> Result<Option<String>, ExitCode> {
    if given != Some("-") {
        return Ok(given.map(str::to_owned));
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut bytes);
    let read = read.map_err(|problem| failure::error(format!("cannot read standard input: {problem}")))?;
    if u64::try_from(read).is_ok_and(|read| read > MAX_INPUT) {
        return Err(failure::error(format!("standard input has more than {} MiB", MAX_INPUT >> 20)));
    }
    String::from_utf8(bytes).map(Some).map_err(|problem| {
        let at = problem.utf8_error().valid_up_to();
        failure::error(format!("standard input is not UTF-8 (byte {at})"))
    })
}
