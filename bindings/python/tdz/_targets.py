# SPDX-License-Identifier: Apache-2.0
"""Where a compressed file is written. Each target has file, commit() and discard()."""

import builtins
import contextlib
import errno
import os
import secrets
import stat


class GivenFile:
    """An object with write(). It is not closed."""

    def __init__(self, file):
        self.file = file

    def commit(self):
        flush = getattr(self.file, 'flush', None)
        if flush is not None:
            flush()

    def discard(self):
        pass


class OpenFile:
    """A pipe or a device, which cannot be replaced; or the end of a file, which is cut off again after an error."""

    def __init__(self, path, mode):
        self.file = builtins.open(path, mode)
        self._start = self.file.tell() if mode == 'ab' else None

    def commit(self):
        self.file.close()

    def discard(self):
        with contextlib.suppress(OSError):
            if self._start is not None:
                self.file.truncate(self._start)
            self.file.close()


class NewFile:
    """A file that has its name only when it is complete. Until then, another file of this name stays as it is."""

    def __init__(self, path, exclusive):
        self._path = os.path.realpath(os.fspath(path))
        self._exclusive = exclusive
        folder, name = os.path.split(self._path)
        if isinstance(name, bytes):
            folder, name = os.fsdecode(folder), os.fsdecode(name)
        self._written = os.path.join(folder, f'.{name[:100]}.{secrets.token_hex(4)}.tdz.tmp')
        self.file = builtins.open(self._written, 'xb')
        with contextlib.suppress(FileNotFoundError, PermissionError):
            os.fchmod(self.file.fileno(), stat.S_IMODE(os.stat(self._path).st_mode))

    def commit(self):
        try:
            self.file.flush()
            os.fsync(self.file.fileno())
            self.file.close()
            self._publish()
        except BaseException:
            self.discard()
            raise

    def _publish(self):
        if not self._exclusive:
            os.replace(self._written, self._path)
            return
        try:
            os.link(self._written, self._path)  # the one step that never replaces a file
        except OSError as error:
            if error.errno == errno.EEXIST or os.path.lexists(self._path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), self._path) from None
            os.rename(self._written, self._path)
        else:
            os.unlink(self._written)

    def discard(self):
        with contextlib.suppress(OSError):
            self.file.close()
        with contextlib.suppress(OSError):
            os.unlink(self._written)


def target_for(file, mode):
    """`mode` is 'w', 'x' or 'a'."""
    if hasattr(file, 'write'):
        return GivenFile(file)
    if mode == 'a':
        return OpenFile(file, 'ab')
    if mode == 'x' and os.path.lexists(file):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fspath(file))
    exists = os.path.exists(file)
    if os.path.isdir(file):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(file))
    if exists and not os.path.isfile(file):
        return OpenFile(file, 'wb')
    return NewFile(file, mode == 'x')
