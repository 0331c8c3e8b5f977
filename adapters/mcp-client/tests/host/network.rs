//! A network that is cut or goes silent at any byte, between the host and a server over HTTP.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use skills_call::Runner;
use skills_load::{LayersBuilder, RemoteSkills};
use skills_mcp_client::host::McpSkills;
use skills_mcp_client::{Approved, Limits, Options, ServerAddress};
use tokio::runtime::Runtime;

use crate::kills::{hash, whole};
use crate::support::{Place, files};

/// A network between this process and a server.
struct Network {
    address: SocketAddr,
    link: Arc<Mutex<Arc<Link>>>,
}

/// The state of a network, until it fails or is repaired.
#[derive(Default)]
struct Link {
    /// The bytes of the server that still arrive.
    left: AtomicUsize,
    /// Whether a connection stays open when nothing arrives any more.
    is_silent: bool,
    is_over: AtomicBool,
    connections: AtomicUsize,
}

impl Network {
    fn start(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let network = Self { address: listener.local_addr().expect("an address"), link: Arc::default() };
        let shared = Arc::clone(&network.link);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let link = Arc::clone(&shared.lock().expect("sound"));
                link.connections.fetch_add(1, Ordering::Relaxed);
                std::thread::spawn(move || link.connect(&client, server));
            }
        });
        network
    }

    /// Passes on a number of bytes of the server, and then nothing. Ends all connections.
    fn pass(&self, bytes: usize, is_silent: bool) -> Arc<Link> {
        let link = Arc::new(Link { left: AtomicUsize::new(bytes), is_silent, ..Link::default() });
        let before = std::mem::replace(&mut *self.link.lock().expect("sound"), Arc::clone(&link));
        before.is_over.store(true, Ordering::Relaxed);
        link
    }
}

impl Link {
    fn connect(&self, client: &TcpStream, server: SocketAddr) {
        let server = TcpStream::connect(server).expect("the server listens");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::io::copy(&mut &*client, &mut &server).ok();
                server.shutdown(Shutdown::Both).ok();
            });
            self.answer(&server, client);
            while self.is_silent && !self.is_over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(5));
            }
            client.shutdown(Shutdown::Both).ok();
            server.shutdown(Shutdown::Both).ok();
        });
    }

    /// Passes the bytes of the server on, until no more may arrive.
    fn answer(&self, mut server: &TcpStream, mut client: &TcpStream) {
        let mut bytes = [0; 512];
        while let Ok(count @ 1..) = server.read(&mut bytes) {
            let left = self.left.load(Ordering::Relaxed).min(count);
            self.left.fetch_sub(left, Ordering::Relaxed);
            if client.write_all(&bytes[..left]).is_err() || left < count {
                return;
            }
        }
    }
}

/// Serves a skill with files of different sizes, until the runtime ends.
fn serve(place: &Place, runtime: &Runtime) -> SocketAddr {
    let directory = place.path("served/pdf");
    std::fs::create_dir_all(&directory).expect("a directory");
    std::fs::write(directory.join("SKILL.md"), "---\nname: pdf\ndescription: Reads.\n---\nRead.\n")
        .expect("a file");
    for (name, lines) in [("a.md", 1), ("b.md", 4_000), ("c.md", 300)] {
        std::fs::write(directory.join(name), format!("{name}\n").repeat(lines)).expect("a file");
    }
    let layers = LayersBuilder::new().directory(place.path("served")).load().expect("readable");
    runtime.block_on(async {
        let bound = skills_http::bind(([127, 0, 0, 1], 0).into()).await.expect("a port");
        let address = bound.address().expect("an address");
        let routes = skills_mcp::Server::new(Runner::from(layers)).routes();
        tokio::spawn(bound.run(routes, skills_mcp::Guard::new()));
        address
    })
}

fn connect(place: &Place, network: &Network, time: Duration) -> McpSkills {
    let mut limits = Limits::default();
    (limits.connect, limits.request) = (time, time);
    let url = format!("http://{}/mcp", network.address);
    let address = ServerAddress::parse(&url).expect("a URL");
    place.host.skills("docs", Approved::typed(address), Options::default().limits(limits)).expect("a label")
}

/// Lists and reads everything. Returns the number of files that were read.
fn read_all(server: &McpSkills) -> usize {
    let list = server.list();
    if let Some(reason) = &list.offline {
        let reasons = [
            "cannot be reached",
            "closed the connection",
            "connection to the MCP server ended",
            "did not answer",
        ];
        assert!(reasons.iter().any(|known| reason.contains(known)), "{reason}");
    }
    let mut read = 0;
    for (skill, file) in
        list.skills.iter().flat_map(|skill| skill.files.iter().map(move |file| (skill, file)))
    {
        match server.read(skill, file) {
            Ok(bytes) => {
                assert_eq!(hash(&bytes), file.sha256);
                read += 1;
            }
            Err(error) => {
                let reason = error.to_string();
                let reasons = ["cannot be reached", "closed the connection", "did not answer"];
                assert!(reasons.iter().any(|known| reason.contains(known)), "{reason}");
            }
        }
    }
    read
}

// SPEC 22.2, 22.3, 22.7: the cache is whole, each failure has its reason, and no failure causes many connections
#[test]
fn a_network_that_fails_leaves_a_whole_cache() {
    let place = Place::new();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let network = Network::start(serve(&place, &runtime));
    let connect = |time| connect(&place, &network, Duration::from_millis(time));
    let link = network.pass(usize::MAX, false);
    assert_eq!(read_all(&connect(30_000)), 4);
    let sent = usize::MAX - link.left.load(Ordering::Relaxed);
    assert!(sent > 20_000, "the files are sent: {sent}");
    let (mut seed, mut failed, rounds) = (3_u64, 0, test_bed::rounds(8));
    for round in 0..rounds {
        std::fs::remove_dir_all(place.path("cache")).expect("a cache");
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bytes = usize::try_from(seed >> 33).expect("few") % sent;
        let link = network.pass(bytes, round % 2 == 0);
        failed += usize::from(read_all(&connect(150)) < 4);
        let connections = link.connections.load(Ordering::Relaxed);
        assert!(connections <= 16, "round {round}: {connections} connections");
        whole(&place.path("cache"));
        for file in files(&place.path("cache")) {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_known = name.len() == 64 || matches!(name, "list.json" | "server");
            assert!(is_known, "round {round}: {}", file.display());
        }
        // The repaired network completes the cache.
        network.pass(usize::MAX, false);
        assert_eq!(read_all(&connect(30_000)), 4, "round {round}");
        whole(&place.path("cache"));
    }
    assert!(failed > rounds / 2, "{failed} of {rounds} networks failed");
}
