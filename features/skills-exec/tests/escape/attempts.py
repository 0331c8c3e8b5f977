"""Tries to get out of a sandbox in every way its author knows. Prints `NAME held` or `NAME ESCAPED` for each attempt.

Its environment says what lies outside: SECRET (a file), OUTSIDE (a directory), VICTIM (a process), and PORT4, PORT6, UDP4,
UDP6, OWN with OWN_PORT, ABSTRACT, SOCKET (who listens), DATAGRAMS (who takes those), SHM (a segment), SEM (a semaphore), SHARED (a file in /dev/shm), FD (a descriptor that was left open).
Nothing it does harms a machine on which an attempt succeeds.
"""

import ctypes, errno, os, platform, signal, socket, struct, subprocess, sys

E = os.environ
SECRET, OUTSIDE, VICTIM, OWN = E["SECRET"], E["OUTSIDE"], int(E["VICTIM"]), os.getcwd()
TMP = E["TMPDIR"] + "/"
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
X86 = platform.machine() == "x86_64"
MARK = "the secret"


def call(*arguments):
    """A system call by its number; an error is an OSError."""
    made = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(*made)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


ATTEMPTS = []


def attempt(function):
    ATTEMPTS.append(function)
    return function


def text(path):
    with open(path, "rb") as file:
        return MARK.encode() in file.read(65536)


def run(*command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    return done


# Files


@attempt
def read_the_key():
    return text(SECRET)


@attempt
def give_a_file_an_attribute():
    os.setxattr(SECRET, "user.skills", b"x")
    return True


NODUMP = 0x40


@attempt
def change_the_flags_of_a_file():
    import fcntl

    file = os.open(E["SKILL_PATH"] + "/run", os.O_RDONLY)
    flags = struct.unpack("i", fcntl.ioctl(file, 0x80086601, b"1234"))[0]  # FS_IOC_GETFLAGS
    fcntl.ioctl(file, 0x40086602, struct.pack("i", flags ^ NODUMP))
    return True


@attempt
def change_the_extended_flags_of_a_file():
    import fcntl

    file = os.open(E["SKILL_PATH"] + "/run", os.O_RDONLY)
    flags = fcntl.ioctl(file, 0x801C581F, bytes(28))  # FS_IOC_FSGETXATTR
    fcntl.ioctl(file, 0x401C5820, flags)
    return True


@attempt
def change_the_flags_of_a_file_by_its_name():
    # file_getattr and file_setattr of Linux 6.17.
    flags = ctypes.create_string_buffer(24)
    call(468, -100, SECRET.encode(), flags, 24, 0)
    return call(469, -100, SECRET.encode(), flags, 24, 0) == 0


@attempt
def give_a_file_an_attribute_by_the_new_call():
    value = ctypes.create_string_buffer(b"x")
    arguments = struct.pack("QII", ctypes.addressof(value), 1, 0)
    return call(463, -100, SECRET.encode(), 0, b"user.skills", arguments, 16) == 0


@attempt
def list_the_mounts():
    request = struct.pack("IIQQ", 24, 0, 0xFFFFFFFFFFFFFFFF, 0)
    return call(458, request, ctypes.create_string_buffer(8 * 64), 64, 0) > 0


@attempt
def take_a_lease_on_a_file():
    import fcntl

    return fcntl.fcntl(os.open(E["SKILL_PATH"] + "/run", os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK) == 0


@attempt
def control_a_console():
    import fcntl

    fcntl.ioctl(os.open(E["TERMINAL"], os.O_RDWR | os.O_NOCTTY), 0x541C, b"\x0c" * 8)  # TIOCLINUX
    return True


@attempt
def read_by_another_program():
    return MARK.encode() in run("cat", SECRET).stdout


@attempt
def read_by_two_dots():
    return text(E["SKILL_PATH"] + "/.." * 20 + SECRET)


@attempt
def read_by_a_link():
    os.symlink(SECRET, TMP + "link")
    return text(TMP + "link")


@attempt
def read_by_a_hard_link():
    os.link(SECRET, TMP + "hard")
    return text(TMP + "hard")


@attempt
def read_by_a_rename():
    os.rename(OUTSIDE + "/movable", TMP + "moved")
    return text(TMP + "moved")


@attempt
def read_through_proc_root():
    return text("/proc/self/root" + SECRET)


@attempt
def read_through_a_working_directory():
    os.chdir(OUTSIDE)
    try:
        return text("long")
    finally:
        os.chdir(OWN)


@attempt
def read_a_workspace_that_is_not_granted():
    return text(E["SKILL_WORKSPACE"] + "/note")


@attempt
def read_the_directory_of_a_key():
    return bool(os.listdir(os.path.dirname(SECRET)))


@attempt
def read_by_a_link_exchanged_in_the_middle():
    os.mkdir(TMP + "real")
    with open(TMP + "real/long", "w") as file:
        file.write("nothing")
    os.symlink(OUTSIDE, TMP + "fake")
    child = os.fork()
    if child == 0:
        while True:
            libc.renameat2(-100, (TMP + "real").encode(), -100, (TMP + "fake").encode(), 2)
    try:
        for _ in range(3000):
            try:
                if text(TMP + "real/long"):
                    return True
            except OSError:
                pass
        return False
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@attempt
def read_the_passwords():
    return os.geteuid() == 0 and open("/etc/shadow").read() != ""


@attempt
def read_a_disk():
    for name in ("/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda"):
        try:
            os.close(os.open(name, os.O_RDONLY | os.O_NONBLOCK))
            return True
        except OSError:
            pass


@attempt
def read_a_file_by_its_handle():
    handle = (ctypes.c_char * 256)()
    struct.pack_into("I", handle, 0, 128)
    mount = ctypes.c_int()
    if libc.name_to_handle_at(-100, SECRET.encode(), handle, ctypes.byref(mount), 0) != 0:
        return False
    base = os.open(E["SKILL_PATH"], os.O_RDONLY)
    found = libc.open_by_handle_at(base, handle, os.O_RDONLY)
    return found >= 0 and MARK.encode() in os.read(found, 100)


@attempt
def write_outside():
    with open(OUTSIDE + "/written", "a") as file:
        file.write("x")
    return True


@attempt
def truncate_outside():
    os.truncate(OUTSIDE + "/long", 1)
    return True


@attempt
def remove_outside():
    os.unlink(OUTSIDE + "/removable")
    return True


@attempt
def make_a_directory_outside():
    os.mkdir(OUTSIDE + "/made")
    return True


@attempt
def move_a_file_outside():
    with open(TMP + "own", "w"):
        pass
    os.rename(TMP + "own", OUTSIDE + "/own")
    return True


@attempt
def link_a_file_outside():
    with open(TMP + "mine", "w"):
        pass
    os.link(TMP + "mine", OUTSIDE + "/mine")
    return True


@attempt
def change_the_skill_itself():
    with open(E["SKILL_PATH"] + "/planted", "w"):
        return True


@attempt
def write_to_shared_memory_files():
    with open("/dev/shm/escape-%d" % os.getpid(), "w") as file:
        os.unlink(file.name)
        return True


@attempt
def read_shared_memory_files():
    return text(E["SHARED"])


@attempt
def write_a_setting_of_the_kernel():
    value = open("/proc/sys/kernel/core_pattern").read()
    with open("/proc/sys/kernel/core_pattern", "w") as file:
        file.write(value)
    return True


@attempt
def make_a_setuid_program():
    with open(TMP + "tool", "w"):
        os.chmod(TMP + "tool", 0o4755)
        return True


def lends(path, make):
    """Whether a file that is made so runs with the rights of its owner or its group."""
    for bit in (0o4000, 0o2000):
        try:
            made = make(path.encode(), bit | 0o755)
            if made is not None:
                os.close(made)
            if os.stat(path).st_mode & 0o6000:
                return True
        except OSError:
            pass
        finally:
            try:
                os.unlink(path)
            except OSError:
                pass
    return False


MAKE = os.O_CREAT | os.O_RDWR


@attempt
def make_a_setuid_file_by_open():
    return lends(TMP + "made", lambda path, mode: os.open(path, MAKE, mode))


@attempt
def make_a_setuid_file_by_the_old_open():
    return X86 and lends(TMP + "made", lambda path, mode: call(2, path, MAKE | os.O_EXCL, mode | 0x7FFF0000))


@attempt
def make_a_setuid_file_in_a_directory():
    base = os.open(TMP, os.O_PATH)
    return lends(TMP + "made", lambda path, mode: os.open(os.path.basename(path), MAKE, mode, dir_fd=base))


@attempt
def make_a_setuid_file_by_openat2():
    return lends(TMP + "made", lambda path, mode: call(437, -100, path, struct.pack("QQQ", MAKE, mode, 0), 24))


@attempt
def make_a_setuid_file_by_creat():
    return X86 and lends(TMP + "made", lambda path, mode: call(85, path, mode))


@attempt
def make_a_setuid_file_by_mknod():
    return lends(TMP + "made", lambda path, mode: os.mknod(path, 0o100000 | mode))


@attempt
def make_a_setuid_file_by_the_old_mknod():
    return X86 and lends(TMP + "made", lambda path, mode: call(133, path, 0o100000 | mode, 0) or None)


@attempt
def make_a_setuid_file_without_a_name():
    made = os.open(TMP, os.O_TMPFILE | os.O_RDWR, 0o6755)
    return os.fstat(made).st_mode & 0o6000 != 0


@attempt
def make_a_setuid_file_by_a_descriptor():
    with open(TMP + "by-a-descriptor", "w") as file:
        os.fchmod(file.fileno(), 0o4755)
        return True


@attempt
def make_a_setuid_file_by_fchmodat2():
    with open(TMP + "by-fchmodat2", "w"):
        return call(452, -100, (TMP + "by-fchmodat2").encode(), 0o2755, 0) == 0


@attempt
def make_a_file_with_capabilities():
    with open(TMP + "capable", "w"):
        os.setxattr(TMP + "capable", "security.capability", struct.pack("<5I", 0x02000001, 2, 0, 0, 0))
        return True


@attempt
def make_a_device():
    os.mknod(TMP + "null", 0o20666, os.makedev(1, 3))
    return True


# Other processes


@attempt
def read_the_environment_of_the_host():
    return text("/proc/%d/environ" % os.getppid())


@attempt
def read_the_environment_of_another():
    return text("/proc/%d/environ" % VICTIM)


@attempt
def read_the_arguments_of_another():
    return text("/proc/%d/cmdline" % VICTIM)


@attempt
def list_processes():
    return str(VICTIM) in os.listdir("/proc")


@attempt
def see_the_files_of_another():
    return bool(os.listdir("/proc/%d/fd" % VICTIM))


@attempt
def inherit_a_descriptor():
    return MARK.encode() in os.read(int(E["FD"]), 100)


@attempt
def trace_another():
    call(101 if X86 else 117, 0x4206, VICTIM, 0, 0)  # PTRACE_SEIZE
    return True


@attempt
def read_the_memory_of_another():
    start = int(E["VICTIM_STACK"])
    into = ctypes.create_string_buffer(16)
    here = (ctypes.c_void_p * 2)(ctypes.addressof(into), 16)
    there = (ctypes.c_void_p * 2)(start, 16)
    return call(310 if X86 else 270, VICTIM, here, 1, there, 1, 0) > 0


@attempt
def take_a_descriptor_of_another():
    return call(438, os.pidfd_open(VICTIM), 0, 0) >= 0


@attempt
def signal_another():
    os.kill(VICTIM, signal.SIGWINCH)
    return True


@attempt
def signal_another_by_a_handle():
    signal.pidfd_send_signal(os.pidfd_open(VICTIM), signal.SIGWINCH)
    return True


@attempt
def signal_a_thread_of_another():
    call(200 if X86 else 130, VICTIM, int(signal.SIGWINCH))
    return True


@attempt
def limit_another():
    import resource

    resource.prlimit(VICTIM, resource.RLIMIT_CORE, (0, resource.RLIM_INFINITY))
    return True


@attempt
def slow_another():
    os.setpriority(os.PRIO_PROCESS, VICTIM, 1)
    return True


@attempt
def bind_another_to_a_processor():
    os.sched_setaffinity(VICTIM, os.sched_getaffinity(0))
    return True


@attempt
def slow_all_disks_of_the_user():
    # The class that waits for all others, and back.
    number = 251 if X86 else 30
    return call(number, 3, 0, (2 << 13) | 4) == 0


@attempt
def take_a_semaphore_of_another():
    taken = struct.pack("HhH", 0, 1, 0)
    return call(220 if X86 else 192, int(E["SEM"]), taken, 1, None) == 0


@attempt
def attach_shared_memory():
    address = libc.shmat
    address.restype = ctypes.c_void_p
    at = address(int(E["SHM"]), None, 0o10000)
    return at not in (None, ctypes.c_void_p(-1).value) and MARK.encode() in ctypes.string_at(at, 32)


@attempt
def make_a_queue():
    return call(240 if X86 else 180, b"escape-%d" % os.getpid(), os.O_CREAT | os.O_RDWR, 0o600, None) >= 0


@attempt
def read_keys():
    return call(250 if X86 else 219, 0, -3, 1, 0, 0) != 0  # KEYCTL_GET_KEYRING_ID of the session


# The network


def tcp(family, address, flags=0):
    with socket.socket(family, socket.SOCK_STREAM) as it:
        it.settimeout(2)
        if flags:
            it.sendto(b"x", flags, address)
        else:
            it.connect(address)
        return True


def udp(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as it:
        it.sendto(b"x", address)
        return True


@attempt
def connect_by_ipv4():
    return tcp(socket.AF_INET, ("127.0.0.1", int(E["PORT4"])))


@attempt
def connect_by_ipv6():
    return tcp(socket.AF_INET6, ("::1", int(E["PORT6"])))


@attempt
def connect_by_a_fast_open():
    return tcp(socket.AF_INET, ("127.0.0.1", int(E["PORT4"])), 0x20000000)


@attempt
def take_an_abstract_name():
    pair = socket.socketpair()
    pair[0].bind("\0skills-escape-%d" % os.getpid())
    return True


@attempt
def connect_by_many_paths():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262) as it:  # MPTCP
        it.settimeout(2)
        it.connect(("127.0.0.1", int(E["PORT4"])))
        return True


@attempt
def connect_from_another_thread():
    import threading

    found = []

    def work():
        try:
            found.append(tcp(socket.AF_INET, ("127.0.0.1", int(E["PORT4"]))))
        except OSError:
            pass

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return bool(found)


@attempt
def send_by_udp():
    return udp(socket.AF_INET, ("127.0.0.1", int(E["UDP4"])))


@attempt
def send_by_udp_and_ipv6():
    return udp(socket.AF_INET6, ("::1", int(E["UDP6"])))


@attempt
def ask_a_name_server():
    query = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x06secret\x06escape\x00\x00\x01\x00\x01"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as it:
        it.connect(("127.0.0.1", int(E["UDP4"])))
        return it.send(query) > 0


@attempt
def send_raw_packets():
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP):
        return True


@attempt
def send_pings():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP):
        return True


@attempt
def listen_to_packets():
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW):
        return True


@attempt
def change_the_network():
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9):  # NETLINK_AUDIT
        return True


@attempt
def watch_a_directory_outside():
    return libc.inotify_add_watch(libc.inotify_init1(0), OUTSIDE.encode(), 0x100) >= 0


@attempt
def send_to_a_socket_in_a_file_from_a_pair():
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return one.sendto(b"x", E["DATAGRAMS"]) == 1


@attempt
def send_to_an_abstract_socket_from_a_pair():
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return one.sendto(b"x", "\0" + E["ABSTRACT"] + "-datagrams") == 1


@attempt
def send_to_a_socket_in_a_file_from_a_raw_pair():
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)
    return one.sendto(b"x", E["DATAGRAMS"]) == 1


@attempt
def turn_a_pair_to_a_socket_in_a_file():
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.connect(E["DATAGRAMS"])
    return one.send(b"x") == 1


@attempt
def send_to_a_socket_in_a_file_from_a_pair_of_packets():
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    other.settimeout(1)
    one.sendto(b"x", E["DATAGRAMS"])
    return other.recv(1) != b"x"


@attempt
def use_the_kernels_ciphers():
    with socket.socket(38, socket.SOCK_SEQPACKET):  # AF_ALG
        return True


@attempt
def connect_to_an_abstract_socket():
    with socket.socket(socket.AF_UNIX) as it:
        it.connect("\0" + E["ABSTRACT"])
        return True


@attempt
def connect_to_a_socket_file():
    with socket.socket(socket.AF_UNIX) as it:
        it.connect(E["SOCKET"])
        return True


@attempt
def listen_for_others():
    with socket.socket(socket.AF_INET) as it:
        it.bind(("0.0.0.0", 0))
        it.listen()
        return True


def by_the_proxy(host, port):
    """Whether a host is reached, by the proxy where there is one."""
    proxy = E.get("HTTP_PROXY", "").rpartition("/")[2].split(":")
    if proxy == [""]:
        return tcp(socket.AF_INET, (host, port))
    with socket.create_connection((proxy[0], int(proxy[1])), 5) as it:
        it.sendall(b"CONNECT %s:%d HTTP/1.1\r\n\r\n" % (host.encode(), port))
        return b" 200 " in it.recv(100)


@attempt
def reach_this_machine_by_a_name():
    return by_the_proxy(E["OWN"], int(E["OWN_PORT"]))


@attempt
def reach_this_machine_by_another_spelling():
    first, _, rest = E["OWN"].partition(".")
    return by_the_proxy("0x%x.%s" % (int(first), rest), int(E["OWN_PORT"]))


# The kernel


@attempt
def use_io_uring():
    parameters = (ctypes.c_char * 120)()
    return call(425, 4, parameters) >= 0


@attempt
def become_root_elsewhere():
    return run("unshare", "-Ur", "true").returncode == 0


@attempt
def clone_into_a_namespace():
    child = call(56 if X86 else 220, 0x10000000 | int(signal.SIGCHLD), 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


@attempt
def enter_a_namespace():
    libc_setns = libc.setns(os.pidfd_open(VICTIM), 0x40000000)
    return libc_setns == 0


@attempt
def change_the_root():
    child = os.fork()
    if child == 0:
        try:
            os.chroot(TMP)
            os._exit(0)
        except OSError:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


@attempt
def mount_a_file_system():
    os.makedirs(TMP + "mounted", exist_ok=True)
    if libc.mount(b"none", (TMP + "mounted").encode(), b"tmpfs", 0, None) != 0:
        return False
    libc.umount2((TMP + "mounted").encode(), 2)
    return True


@attempt
def load_a_program_into_the_kernel():
    try:
        call(321 if X86 else 280, 0, ctypes.create_string_buffer(72), 72)
        return True
    except OSError as error:
        return error.errno not in (errno.EPERM, errno.EACCES, errno.ENOSYS)


@attempt
def load_a_module():
    try:
        call(175 if X86 else 105, b"", 0, b"")
        return True
    except OSError as error:
        return error.errno not in (errno.EPERM, errno.EACCES, errno.ENOSYS)


@attempt
def watch_the_machine():
    attributes = (ctypes.c_char * 128)()
    struct.pack_into("II", attributes, 0, 1, 128)
    return call(298 if X86 else 241, attributes, 0, -1, -1, 0) >= 0


@attempt
def handle_page_faults():
    return call(323 if X86 else 282, 1) >= 0


@attempt
def rename_the_machine():
    socket.sethostname(socket.gethostname())
    return True


@attempt
def hold_capabilities():
    held = [line for line in open("/proc/thread-self/status") if line.startswith("CapEff")] if E.get("CONTROL") else []
    if held:
        return int(held[0].split()[1], 16) & ~2 != 0
    header = struct.pack("II", 0x20080522, 0)
    data = (ctypes.c_uint32 * 6)()
    call(125 if X86 else 90, header, data)
    return data[0] & ~2 != 0 or data[3] != 0


@attempt
def gain_rights_by_a_setuid_program():
    # Where rights cannot be gained, such a program runs without them.
    return libc.prctl(39, 0, 0, 0, 0) == 0  # PR_GET_NO_NEW_PRIVS


@attempt
def preload_into_a_setuid_program():
    tool = next((path for path in ("/usr/bin/su", "/bin/su") if os.path.exists(path)), None)
    done = run(tool, "-c", "cat " + SECRET, env={**E, "LD_PRELOAD": "libc.so.6"})
    return MARK.encode() in done.stdout


@attempt
def type_into_a_terminal():
    import fcntl

    fcntl.ioctl(os.open(E["TERMINAL"], os.O_RDWR | os.O_NOCTTY), 0x5412, b"x")
    return True


@attempt
def call_by_other_numbers():
    if not X86:
        return False
    return call(0x40000000 | 41, socket.AF_INET, socket.SOCK_DGRAM, 0) >= 0


@attempt
def call_as_32_bits():
    if not X86:
        return False
    child = os.fork()
    if child == 0:
        import mmap

        code = mmap.mmap(-1, 4096, prot=7)
        # socketcall(SYS_SOCKET, …) by `int 0x80`: the answer is an error or a descriptor.
        code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # getpid
        function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
        os._exit(0 if function() == os.getpid() else 1)
    return os.waitpid(child, 0)[1] == 0


def main():
    escaped = 0
    for function in ATTEMPTS:
        try:
            out = function()
        except (OSError, AttributeError, TypeError, StopIteration, KeyError, ValueError):
            out = False
        escaped += bool(out)
        print(function.__name__, "ESCAPED" if out else "held", flush=True)
    print("attempts", len(ATTEMPTS), "escaped", escaped)


main()
