//! The permissions that are learned suffice for the same run, and none of them is too much.

use std::io::{Read, Write};
use std::net::TcpListener;

use skills_exec::Outcome;
use skills_learn::{Access, Observed};

use crate::support::{Bed, without_each};

/// Learns the permissions of a script, and checks that it needs all of them and no others. `clean` removes what a run
/// left in the workspace.
#[track_caller]
fn learned(bed: &Bed, input: &str, clean: impl Fn()) -> (Outcome, Observed) {
    let (outcome, observed) = bed.learn(Access::Read, None, input);
    assert_eq!((outcome.exit_code, &*outcome.error), (0, ""), "{outcome:?}");
    clean();
    let again = bed.run(&observed.permissions, input);
    assert_eq!((again.exit_code, &again.stdout), (0, &outcome.stdout), "{again:?}\n{observed:?}");
    for (right, less) in without_each(&observed.permissions) {
        clean();
        let failed = bed.run(&less, input);
        assert_ne!((failed.exit_code, &failed.stdout), (0, &outcome.stdout), "without {right}");
    }
    (outcome, observed)
}

fn json(observed: &Observed) -> String {
    observed.permissions.to_json()
}

// SPEC 13.18, 13.19
#[test]
fn files_of_the_workspace_are_learned() {
    let bed = Bed::new(
        "set -e; read -r name; cat \"$name\" notes/one.md; mkdir -p out/a; cat \"$name\" >out/a/copy; rm out/a/copy",
    );
    bed.file("work/in.txt", "in\n");
    bed.file("work/notes/one.md", "one\n");
    let clean = || drop(std::fs::remove_dir_all(bed.path().join("work/out")));
    // A path of the input stands for all of the workspace.
    let (_, observed) = learned(&bed, "in.txt\n", clean);
    assert_eq!(json(&observed), r#"{"read":[],"write":["$WORKSPACE"],"net":"none","env":[]}"#);
    let bed = Bed::new("set -e; cat notes/one.md; cat <in.txt >log.txt");
    bed.file("work/in.txt", "in\n");
    bed.file("work/log.txt", "");
    bed.file("work/notes/one.md", "one\n");
    let (_, observed) = learned(&bed, "", || {});
    let wanted = r#"{"read":["$WORKSPACE/in.txt","$WORKSPACE/notes/one.md"],"write":["$WORKSPACE/log.txt"],"net":"none","env":[]}"#;
    assert_eq!(json(&observed), wanted);
    let actions: Vec<String> = observed.uses.iter().map(skills_learn::Use::action).collect();
    let wanted = [
        "read $WORKSPACE/in.txt (openat by bash run)",
        "read $WORKSPACE/notes/one.md (openat by cat)",
        "write $WORKSPACE/log.txt (openat by bash run)",
    ];
    assert_eq!(actions, wanted);
    assert!(
        observed.programs.contains_key("run") && observed.programs.contains_key("/usr/bin/cat"),
        "{observed:?}"
    );
}

// SPEC 13.18: programs, system libraries, the skill itself and the temporary directory need no permission
#[test]
fn general_permissions_are_not_listed() {
    let bed = Bed::new(
        "set -e; cat \"$SKILL_PATH/data\"; echo x >\"$TMPDIR/x\"; ls /usr >/dev/null; cat \"$TMPDIR/x\"; ls no-such-file || :",
    );
    bed.file("skill/data", "data\n");
    let (_, observed) = learned(&bed, "", || {});
    assert_eq!(json(&observed), r#"{"read":[],"write":[],"net":"none","env":[]}"#);
    assert!(observed.denied.is_empty(), "{observed:?}");
}

// SPEC 13.19, 13.21: what the sandbox of the run refuses is suggested, and not learned
#[test]
fn refused_accesses_are_suggested() {
    let bed = Bed::new(
        "cat ../other/secret; echo x >../other/new; echo x >\"$SKILL_PATH/state\"; rm -f ../other/secret; :",
    );
    bed.file("other/secret", "secret\n");
    let (outcome, observed) = bed.learn(Access::Read, None, "");
    assert_eq!(outcome.stdout, "secret\n");
    assert!(bed.path().join("other/secret").exists(), "writing is refused");
    let other = bed.path().join("other").canonicalize().expect("there").display().to_string();
    let denied: Vec<&str> = observed.denied.iter().map(|denied| &*denied.value).collect();
    assert_eq!(denied, [".", &*other], "{observed:?}");
    assert_eq!(observed.permissions.read, [&*other]);
    assert!(observed.permissions.write.is_empty());
    // Under the permissions of the skill, everything else is refused.
    let asked = skills_registry::Permissions::default();
    let (outcome, observed) = bed.learn(Access::Policy, Some(&asked), "");
    assert_eq!(outcome.stdout, "");
    let denied: Vec<(&str, &str)> =
        observed.denied.iter().map(|denied| (denied.right.key(), &*denied.value)).collect();
    assert_eq!(denied, [("write", "."), ("write", &*other)], "{observed:?}");
}

// SPEC 13.18: a connection through the proxy is learned by its name, and any other one needs every host
#[test]
fn hosts_are_learned_from_the_proxy() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let served = std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut head = [0; 1024];
            let count = stream.read(&mut head).expect("a request");
            let _ =
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nhi\n");
            if head[..count].starts_with(b"GET /end") {
                return;
            }
        }
    });
    let ask = "at=${HTTP_PROXY#http://}; exec 3<>/dev/tcp/${at%:*}/${at#*:} || exit 1; \
               printf 'GET http://localhost:PORT/ HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3";
    let bed = Bed::new(&ask.replace("PORT", &port.to_string()));
    let (outcome, observed) = learned(&bed, "", || {});
    assert!(outcome.stdout.ends_with("hi\n"), "{outcome:?}");
    assert_eq!(json(&observed), format!(r#"{{"read":[],"write":[],"net":["localhost:{port}"],"env":[]}}"#));
    // A run that may reach no host still learns which one the program wants.
    let (_, observed) = bed.learn(Access::Policy, Some(&skills_registry::Permissions::default()), "");
    assert_eq!(observed.denied[0].value, format!("localhost:{port}"), "{observed:?}");
    let bed = Bed::new(&format!(
        "exec 3<>/dev/tcp/127.0.0.1/{port}; printf 'GET /end HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3"
    ));
    let (outcome, observed) = bed.learn(Access::Read, None, "");
    assert!(outcome.stdout.ends_with("hi\n"), "{outcome:?}");
    assert_eq!(json(&observed), r#"{"read":[],"write":[],"net":"all","env":[]}"#);
    served.join().expect("served");
}

// SPEC 13.20
#[test]
fn variables_are_learned_from_the_texts_that_were_read() {
    let bed = Bed::new("echo \"$MODE\"; . \"$SKILL_PATH/more\"");
    bed.file("skill/more", "\necho \"${API_TOKEN:-none}\"\n");
    bed.file("skill/unread", "echo $OTHER\n");
    let (outcome, observed) = learned(&bed, "", || {});
    assert_eq!(outcome.stdout, "fast\nnone\n", "a secret is not passed");
    assert_eq!(json(&observed), r#"{"read":[],"write":[],"net":"none","env":["MODE"]}"#);
    assert_eq!(observed.uses[0].action(), "read the variable MODE (run:2)");
    assert_eq!(observed.denied[0].action(), "read the variable API_TOKEN (more:2)");
}

// SPEC 13.18: a run is observed up to the end of all its processes, and threads and children are its own
#[test]
fn children_are_observed() {
    let bed = Bed::new("(cat a) & (sh -c 'cat b | cat') & wait; cd sub && cat c");
    for name in ["a", "b", "sub/c"] {
        bed.file(&format!("work/{name}"), name);
    }
    let (outcome, observed) = bed.learn(Access::Read, None, "");
    assert_eq!(outcome.exit_code, 0, "{outcome:?}");
    assert_eq!(observed.permissions.read, ["$WORKSPACE/a", "$WORKSPACE/b", "$WORKSPACE/sub/c"]);
}
