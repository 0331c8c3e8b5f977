#![deny(warnings)]

mod warned {
    skills::skills!("linted");
}
mod allowed {
    skills::skills!("linted", allow(name_mismatch));
}
mod denied {
    skills::skills!("linted", deny(name_mismatch));
}

fn main() {}
