mod nothing {
    skills::skills!();
}
mod number {
    skills::skills!(7);
}
mod bytes {
    skills::skills!(b"skills");
}
mod path {
    skills::skills!(skills);
}
mod empty {
    skills::skills!("");
}
mod no_comma {
    skills::skills!("linted" deny(long_body));
}
mod unknown_option {
    skills::skills!("linted", dney(long_body));
}
mod no_rules {
    skills::skills!("linted", deny);
}
mod unknown_rule {
    skills::skills!("linted", deny(long_body, name_mismtch));
}
mod no_lint {
    skills::skills!("linted", allow(yaml_unquoted_colon));
}
mod no_name {
    skills::skills!("linted", allow(7, 8));
}
mod no_number {
    skills::skills!("linted", file_cap(ten));
}

fn main() {}
