# SPDX-License-Identifier: Apache-2.0
"""Where a compressed file is read: a path, an object with read(), or bytes in memory."""

import builtins
import io
import os
import stat


class Source:
    """What the module reads: `file` and `size` for any offset, or `read` alone where there is no seek()."""

    def __init__(self, given):
        self._own = None
        self._back = lambda: None
        self.file = self.read = None
        self.size = 0
        if isinstance(given, (str, os.PathLike)):
            self._open(given)
        elif hasattr(given, 'read'):
            self._take(given)
        else:
            with memoryview(given) as view:
                self.size = view.nbytes
            self.file = given

    def _open(self, path):
        self._own = builtins.open(path, 'rb', buffering=0)
        status = os.fstat(self._own.fileno())
        if stat.S_ISREG(status.st_mode):
            self.file, self.size = self._own.fileno(), status.st_size
        else:
            self._take(self._own)

    def _take(self, file):
        seekable = getattr(file, 'seekable', None)
        if seekable is None or not seekable():
            self.read = file.read
            return
        start = file.tell()
        self.size = max(file.seek(0, io.SEEK_END) - start, 0)
        file.seek(start)
        self._back = lambda: file.seek(start)

        def read_at(offset, count):
            file.seek(start + offset)
            pieces = []
            while count > 0 and (piece := file.read(count)):
                pieces.append(piece)
                count -= len(piece)
            return pieces[0] if len(pieces) == 1 else b''.join(pieces)

        self.file = read_at

    def close(self):
        if self._own is not None:
            self._own.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._back()
        self.close()
