"""Leaves copies of a program in its workspace that would run with the rights of their owner, in every way its author knows.

They are for another user, who runs all that are left.
"""

import ctypes, os, platform, shutil, struct

PROGRAM = shutil.which("id")
CONTENT = open(PROGRAM, "rb").read()
MAKE = os.O_CREAT | os.O_RDWR
X86 = platform.machine() == "x86_64"
libc = ctypes.CDLL(None, use_errno=True)


def by_openat2(path):
    return libc.syscall(437, -100, path.encode(), struct.pack("QQQ", MAKE, 0o6755, 0), 24)


def by_creat(path):
    return libc.syscall(85, path.encode(), 0o6755) if X86 else -1


def by_mknod(path):
    os.mknod(path, 0o106755)
    return os.open(path, os.O_RDWR)


def without_a_name(path):
    made = os.open(os.path.dirname(path), os.O_TMPFILE | os.O_RDWR, 0o6755)
    libc.linkat(made, b"", -100, path.encode(), 0x1000)
    return made


def by_chmod(path):
    shutil.copyfile(PROGRAM, path)
    os.chmod(path, 0o6755)


def by_fchmodat2(path):
    shutil.copyfile(PROGRAM, path)
    libc.syscall(452, -100, path.encode(), 0o6755, 0)
    os.chmod(path, os.stat(path).st_mode & 0o6000 | 0o755)


def by_a_group(path):
    made = os.open(path, MAKE, 0o2755)
    os.write(made, CONTENT)
    os.chmod(path, os.stat(path).st_mode & 0o7777)
    return made


def by_a_directory(path):
    os.mkdir(path + ".directory", 0o7777)
    shutil.copyfile(PROGRAM, path + ".directory/it")
    os.chmod(path + ".directory/it", 0o755)


def by_a_copy(path):
    shutil.copy2("/usr/bin/su", path)


WAYS = {
    "open": lambda path: os.open(path, MAKE, 0o6755),
    "exclusive": lambda path: os.open(path, MAKE | os.O_EXCL, 0o4755),
    "openat2": by_openat2,
    "creat": by_creat,
    "mknod": by_mknod,
    "tmpfile": without_a_name,
    "chmod": by_chmod,
    "fchmodat2": by_fchmodat2,
    "group": by_a_group,
    "directory": by_a_directory,
    "copy": by_a_copy,
}

for name, way in WAYS.items():
    try:
        made = way(os.path.join(os.getcwd(), name))
        if made is not None and made >= 0:
            os.write(made, CONTENT)
            os.close(made)
    except OSError as error:
        print(name, error.strerror)
print("ways", len(WAYS))
