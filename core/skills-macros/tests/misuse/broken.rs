// The valid skill is kept, so only the broken one is an error.
skills::skills!("broken");

fn main() {
    println!("{}", SKILLS.good.body());
}
