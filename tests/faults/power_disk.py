# SPDX-License-Identifier: Apache-2.0
"""A model of the files below one folder: what a program asked of the disk, call by call.

A File or Folder is what stands on the disk (an inode). Its names are entries of folders. Each call that changes something becomes
an operation; each call that waits for the disk becomes a Barrier. `begin` and `end` say when it ran. power_states.py makes from
them what a power cut can leave.

The model knows every call that changes files or names, or it raises Unreadable. At the end it is compared with the folder itself.
"""
import dataclasses
import itertools
import os

from power_trace import Unreadable, content, flags, name_of, number, pieces


class Folder:
    def __init__(self):
        self.now = {}  # name to File or Folder


class File:
    """`before` is on the disk already, `now` is what the program would read."""

    def __init__(self, before=b""):
        self.before, self.now = before, bytearray(before)


@dataclasses.dataclass(eq=False)
class Operation:
    begin: float
    end: float


@dataclasses.dataclass(eq=False)
class Write(Operation):
    file: File
    offset: int
    data: bytes


@dataclasses.dataclass(eq=False)
class Resize(Operation):
    """The size of the file: of ftruncate, or of a write behind the end."""

    file: File
    size: int


@dataclasses.dataclass(eq=False)
class Entries(Operation):
    """What a call sets at once: {(folder, name): File, Folder or None}."""

    changes: dict
    call: str

    def folders(self):
        return {folder for folder, _ in self.changes}


@dataclasses.dataclass(eq=False)
class Barrier(Operation):
    """fsync of a file or folder. `of` is None for the whole file system (syncfs)."""

    of: File | Folder | None

    def covers(self, operation):
        """Whether the operation is on the disk after this. What one call does to two folders is there if it is there for one."""
        if operation.end >= self.begin:
            return False
        if self.of is None:
            return True
        return self.of in operation.folders() if isinstance(operation, Entries) else self.of is operation.file


@dataclasses.dataclass
class Opened:
    """An open file (struct file of Linux): several descriptors may share it. `at` is None outside of the folder."""

    at: File | Folder | None
    path: str
    offset: int = 0
    appends: bool = False
    writes: bool = False


# Calls that change no file and no name. Any other call that has no method call_NAME of Disk is an error.
HARMLESS = set("""
    access arch_prctl brk clock_gettime clock_nanosleep epoll_create1 epoll_ctl epoll_wait eventfd2 execve exit exit_group faccessat
    faccessat2 fadvise64 fchmod fchown fgetxattr flistxattr flock fremovexattr fsetxattr fstat fstatfs futex getcwd getdents64
    getegid geteuid getgid getpid getrandom getresgid getresuid getrlimit getrusage gettid getuid getxattr
    landlock_add_rule landlock_create_ruleset landlock_restrict_self lgetxattr listxattr llistxattr lstat madvise membarrier
    mlock mprotect mremap munmap nanosleep newfstatat pipe2 poll ppoll prctl pread64 preadv prlimit64
    readlink readlinkat restart_syscall rseq rt_sigaction rt_sigprocmask rt_sigreturn sched_getaffinity sched_setaffinity
    sched_yield seccomp select set_mempolicy set_robust_list set_tid_address sigaltstack signalfd4 stat statfs statx sync
    sync_file_range sysinfo timer_create timer_settime umask uname utimensat wait4
""".split())


class Disk:
    """The files below `root`, an absolute path without links. What lies there now is on the disk."""

    def __init__(self, root):
        self.root, self.top = os.path.realpath(root), Folder()
        self.operations, self.barriers = [], []
        self._opened, self._clock = {}, 0
        known = {}
        self._scan(self.root, self.top, known)

    def _scan(self, path, folder, known):
        for entry in os.scandir(path):
            state = entry.stat(follow_symlinks=False)
            if entry.is_symlink() or not (entry.is_file() or entry.is_dir()):
                raise Unreadable(f"{entry.path} is neither a file nor a folder")
            if entry.is_dir():
                folder.now[entry.name] = Folder()
                self._scan(entry.path, folder.now[entry.name], known)
            elif state.st_ino in known:  # a second name
                folder.now[entry.name] = known[state.st_ino]
            else:
                with open(entry.path, "rb") as file:
                    folder.now[entry.name] = known[state.st_ino] = File(file.read())
        folder.before = dict(folder.now)

    def play(self, calls):
        """Adds the calls of one run of a program, whose working folder is the root."""
        calls = list(calls)
        start = self._clock
        self._opened = {fd: Opened(None, f"<{fd}>", writes=True) for fd in range(3)}
        for call in calls:
            call.begin, call.end = call.begin + start, call.end + start
            self._clock = max(self._clock, call.end + 1)
            self._play(call)

    def _play(self, call):
        if call.name in HARMLESS:
            return
        method = getattr(self, "call_" + call.name, None)
        if method is None:
            raise Unreadable(f"the model does not know {call.name}({', '.join(a[:60] for a in call.arguments)}): is it harmless?")
        if not call.failed():
            method(call, *call.arguments)

    # ---- Names

    def _path(self, base, name):
        """The absolute path of a name."""
        if name.startswith("/"):
            return os.path.normpath(name)
        if base == "AT_FDCWD":
            return os.path.normpath(os.path.join(self.root, name))
        return os.path.normpath(os.path.join(self._opened[number(base)].path, name))

    def _place(self, path):
        """The folder and the name in it; None for a path that is not below the root. The root is (None, "")."""
        if path == self.root:
            return None, ""
        if not path.startswith(self.root + "/"):
            return None
        folder, *rest = self.top, *path[len(self.root) + 1:].split("/")
        for part in rest[:-1]:
            folder = folder.now[part]
        return folder, rest[-1]

    def _at(self, path):
        place = self._place(path)
        if place is None:
            return None
        folder, name = place
        return self.top if folder is None else folder.now.get(name)

    def _own_place(self, path, call):
        place = self._place(path)
        if place is None or place[0] is None:
            raise Unreadable(f"{call.name} changes a name outside of the folder: {path}")
        return place

    def _enter(self, call, changes):
        for (folder, name), found in changes.items():
            if found is None:
                del folder.now[name]
            else:
                folder.now[name] = found
        self.operations.append(Entries(call.begin, call.end, changes, call.name))

    # ---- Descriptors

    def call_openat(self, call, base, name, words, *_mode):
        path, words = self._path(base, name_of(name)), flags(words)
        writes = bool(words & {"O_WRONLY", "O_RDWR"})
        if "O_TMPFILE" in words:
            folder = self._at(path)
            if folder is None:
                raise Unreadable(f"an unnamed file outside of the folder: {path}")
            self._opened[call.result] = Opened(File(), f"{path}/<unnamed>", writes=True)
            return
        at = self._at(path)
        if at is None and self._place(path) is not None:
            if "O_CREAT" not in words:
                raise Unreadable(f"the model has no {path}, but the program opened it")
            at = File()
            self._enter(call, {self._own_place(path, call): at})
        elif at is None and (writes or "O_CREAT" in words) and path not in ("/dev/null", "/dev/tty"):
            raise Unreadable(f"the program writes outside of the folder: {path}")
        if "O_TRUNC" in words and at is not None:
            self._resize(call, at, 0)
        self._opened[call.result] = Opened(at, path, 0, "O_APPEND" in words, writes)

    def call_open(self, call, name, words, *mode):
        self.call_openat(call, "AT_FDCWD", name, words, *mode)

    def call_close(self, call, fd):
        self._opened.pop(number(fd), None)

    def call_dup(self, call, fd, *_):
        self._opened[call.result] = self._opened.get(number(fd))

    call_dup2 = call_dup3 = call_dup

    def call_fcntl(self, call, fd, what, *rest):
        if what in ("F_DUPFD", "F_DUPFD_CLOEXEC"):
            self.call_dup(call, fd)
        elif what == "F_SETFL":
            if opened := self._opened.get(number(fd)):  # not a pipe
                opened.appends = "O_APPEND" in flags(rest[0])

    def call_ioctl(self, call, fd, what, *_):
        if not what.startswith(("TCGETS", "TIOCGWINSZ", "FIONREAD")):
            raise Unreadable(f"the model does not know ioctl {what}")

    def call_clone(self, call, *arguments):
        if not any("CLONE_FILES" in argument and "CLONE_VM" in argument for argument in arguments):
            raise Unreadable("the program starts another process; the model knows threads only")

    call_clone3 = call_clone

    def call_memfd_create(self, call, *_):
        self._opened[call.result] = Opened(None, "<memory>", writes=True)

    def call_mmap(self, call, _address, _length, protection, words, fd, _offset):
        """A file that is written by memory is not seen here."""
        opened = self._opened.get(number(fd)) if "MAP_ANONYMOUS" not in words else None
        if opened and opened.at and opened.writes and flags(words) & {"MAP_SHARED", "MAP_SHARED_VALIDATE"}:
            raise Unreadable("the program writes a file by memory (mmap), which no trace shows; use a disk that is no tmpfs")

    # ---- Data

    def call_lseek(self, call, fd, *_):
        if opened := self._opened.get(number(fd)):
            opened.offset = call.result

    def call_read(self, call, fd, *_):
        if opened := self._opened.get(number(fd)):
            opened.offset += call.result

    call_readv = call_read

    def _put(self, call, file, offset, data):
        if call.result > len(data):
            raise Unreadable(f"{call.name} wrote more bytes than it was given")
        data = data[:call.result]
        end = offset + len(data)
        if not data:
            return
        self.operations.append(Write(call.begin, call.end, file, offset, data))
        if end > len(file.now):
            file.now.extend(bytes(end - len(file.now)))
            self.operations.append(Resize(call.begin, call.end, file, end))
        file.now[offset:end] = data

    def _resize(self, call, file, size):
        if size == len(file.now):
            return
        del file.now[size:]
        file.now.extend(bytes(size - len(file.now)))
        self.operations.append(Resize(call.begin, call.end, file, size))

    def _write_next(self, call, fd, data):
        opened = self._opened[number(fd)]
        if opened.at is None:
            return
        offset = len(opened.at.now) if opened.appends else opened.offset
        self._put(call, opened.at, offset, data)
        opened.offset = offset + call.result

    def _file(self, fd):
        return self._opened[number(fd)].at

    def call_write(self, call, fd, data, _count):
        self._write_next(call, fd, content(data))

    def call_writev(self, call, fd, buffers, _count):
        self._write_next(call, fd, pieces(buffers))

    def call_pwrite64(self, call, fd, data, _count, offset):
        if file := self._file(fd):
            self._put(call, file, number(offset), content(data))

    def call_pwritev(self, call, fd, buffers, _count, offset, *_):
        if file := self._file(fd):
            self._put(call, file, number(offset), pieces(buffers))

    def call_ftruncate(self, call, fd, size):
        if file := self._file(fd):
            self._resize(call, file, number(size))

    def call_fallocate(self, call, fd, mode, offset, length):
        if mode not in ("0", "FALLOC_FL_KEEP_SIZE"):
            raise Unreadable(f"the model does not know fallocate with {mode}")
        file, end = self._file(fd), number(offset) + number(length)
        if file is not None and mode == "0" and end > len(file.now):
            self._resize(call, file, end)

    def call_copy_file_range(self, call, from_fd, from_offset, to_fd, to_offset, *_):
        source, target = self._opened[number(from_fd)], self._opened[number(to_fd)]
        if source.at is None or target.at is None:
            raise Unreadable("copy_file_range from or to a file outside of the folder")
        if "NULL" not in (from_offset, to_offset) or from_offset != to_offset:
            raise Unreadable("the model knows copy_file_range without offsets only")
        data = bytes(source.at.now[source.offset:source.offset + call.result])
        self._put(call, target.at, target.offset, data)
        source.offset += call.result
        target.offset += call.result

    # ---- Entries

    def call_mkdirat(self, call, base, name, _mode):
        place = self._own_place(self._path(base, name_of(name)), call)
        made = Folder()
        made.before = {}
        self._enter(call, {place: made})

    def call_linkat(self, call, from_base, from_name, to_base, to_name, words):
        name = name_of(from_name)
        if name.startswith("/proc/self/fd/") and "AT_SYMLINK_FOLLOW" in flags(words):
            file = self._opened[int(name.rsplit("/", 1)[1])].at
        elif name == "" and "AT_EMPTY_PATH" in flags(words):
            file = self._file(from_base)
        else:
            folder, own = self._own_place(self._path(from_base, name), call)
            file = folder.now[own]
        if not isinstance(file, File):
            raise Unreadable(f"linkat of what is no file of the model: {name}")
        self._enter(call, {self._own_place(self._path(to_base, name_of(to_name)), call): file})

    def call_renameat2(self, call, from_base, from_name, to_base, to_name, words):
        if words not in ("0", "RENAME_NOREPLACE"):
            raise Unreadable(f"the model does not know renameat2 with {words}")
        source = self._own_place(self._path(from_base, name_of(from_name)), call)
        target = self._own_place(self._path(to_base, name_of(to_name)), call)
        moved = source[0].now[source[1]]
        if target[0].now.get(target[1]) is moved:
            return  # two names of one file: rename does nothing
        self._enter(call, {source: None, target: moved})

    def call_renameat(self, call, *names):
        self.call_renameat2(call, *names, "0")

    def call_rename(self, call, from_name, to_name):
        self.call_renameat2(call, "AT_FDCWD", from_name, "AT_FDCWD", to_name, "0")

    def call_unlinkat(self, call, base, name, words):
        if words != "0":
            raise Unreadable(f"the model does not know unlinkat with {words}")
        self._enter(call, {self._own_place(self._path(base, name_of(name)), call): None})

    def call_unlink(self, call, name):
        self.call_unlinkat(call, "AT_FDCWD", name, "0")

    # ---- What waits for the disk. sync and sync_file_range promise too little: they stand above, as harmless.

    def call_fsync(self, call, fd):
        opened = self._opened[number(fd)]
        if opened.at is not None:
            self.barriers.append(Barrier(call.begin, call.end, opened.at))

    call_fdatasync = call_fsync

    def call_syncfs(self, call, _fd):
        self.barriers.append(Barrier(call.begin, call.end, None))

    # ---- The end

    def difference(self):
        """How the model differs from the folder, or nothing."""
        return next(itertools.chain(_differences(self.root, self.top)), None)


def _differences(path, folder):
    found = set(os.listdir(path))
    if found != set(folder.now):
        yield f"in {path} lie {sorted(found)}, but the model has {sorted(folder.now)}"
        return
    for name, at in folder.now.items():
        own = os.path.join(path, name)
        if isinstance(at, Folder):
            yield from _differences(own, at)
            continue
        with open(own, "rb") as file:
            if file.read() != at.now:
                yield f"{own} holds other bytes than the model"
