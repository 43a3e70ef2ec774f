# SPDX-License-Identifier: Apache-2.0
"""open(), info() and check()."""

import io
import json
import os
from typing import Any, Literal, Protocol, overload

from tdz import _core
from tdz._buffer import Buffer
from tdz._pipe import PIECE, Abandoned, Pipe, Worker, open_files
from tdz._sources import Source
from tdz._targets import target_for

_BUFFER = 1 << 17


class _Readable(Protocol):
    def read(self, count: int, /) -> bytes: ...


class _Writable(Protocol):
    def write(self, data: bytes, /) -> int | None: ...


_Input = str | os.PathLike[str] | _Readable
_Output = str | os.PathLike[str] | _Writable


class _Reader(io.RawIOBase):
    """The original of a file that has seek()."""

    mode = 'rb'
    _source = None

    def __init__(self, file, source, max_output, threads):
        self._source = source
        self._reader = _core.reader(source.file, source.size, max_output=max_output, threads=threads)
        self._position = 0
        self.name = _name_of(file)

    def readable(self):
        return True

    def seekable(self):
        return True

    def readinto(self, into):
        self._check_open()
        count = self._reader.read_into(self._position, into)
        self._position += count
        return count

    def readall(self):
        self._check_open()
        rest = self._reader.read(self._position, max(self._reader.size - self._position, 0))
        self._position += len(rest)
        return rest

    def seek(self, offset, whence=io.SEEK_SET):
        self._check_open()
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._reader.size}.get(whence)
        if start is None:
            raise ValueError('`whence` must be 0, 1 or 2')
        if start + offset < 0:
            raise ValueError('the position would be before the beginning')
        self._position = start + offset
        return self._position

    def tell(self):
        self._check_open()
        return self._position

    def close(self):
        if not self.closed and self._source is not None:
            self._reader = None
            self._source.close()
        super().close()

    def _check_open(self):
        if self.closed:
            raise ValueError('I/O operation on closed file')


class _PipeReader(io.RawIOBase):
    """The original of a pipe, which is restored by a thread."""

    mode = 'rb'
    _source = None

    def __init__(self, file, source, max_output, threads):
        self._source = source
        self._most_at_once = max_output
        self._pipe = pipe = Pipe()
        self.name = _name_of(file)

        def work():
            _core.decompress_stream(source.read, pipe.write, max_output=max_output, threads=threads)
            pipe.end()

        self._worker = Worker(work, pipe.end)  # what was restored before an error is read first
        open_files.add(self)

    def readable(self):
        return True

    def readinto(self, into):
        if self.closed:
            raise ValueError('I/O operation on closed file')
        if self._worker is None:
            return 0
        with memoryview(into).cast('B') as room:
            piece = self._pipe.read(len(room))
            room[:len(piece)] = piece
        if not piece:
            worker, self._worker = self._worker, None
            worker.finish()
        return len(piece)

    def readall(self):
        """How long the original is, is not known before its end: so what has come is compared with the free memory."""
        most = _core.available_memory() if self._most_at_once is None else self._most_at_once
        pieces, length = [], 0
        while piece := self.read(PIECE):
            pieces.append(piece)
            length += len(piece)
            if length > most:
                raise _core.LimitError(
                    f'more than {most} bytes are to be restored at once, but this machine has no more free memory; '
                    '`max_output` allows more'
                )
        return b''.join(pieces)

    def close(self):
        if not self.closed and self._source is not None:
            self._pipe.abandon()
            if self._worker is not None:
                try:
                    self._worker.finish()
                except Exception:  # bytes that nobody asked for
                    pass
            self._source.close()
        super().close()


class Writer(io.BufferedIOBase):
    """Compresses what is written, in a thread. The file is complete, and has its name, when close() returns."""

    mode = 'wb'
    _target = None

    def __init__(self, file, target, options):
        self._target = target
        self._options = options
        self._pipe = Pipe()
        self._worker = None
        self._length = 0
        self.name = _name_of(file)
        open_files.add(self)

    def writable(self):
        return True

    def write(self, data: Buffer, /) -> int:
        """Takes any contiguous buffer. The first one says what the numbers are, if open() was not told."""
        self._check_open()
        size = _core.nbytes(data)
        if size != 0 and self._worker is None:
            self._start(data)
        try:
            for at in range(0, size, PIECE):
                self._pipe.write(_core.piece(data, at, PIECE))
        except Abandoned:
            self._fail()
        self._length += size
        return size

    def tell(self):
        """The number of bytes written so far."""
        self._check_open()
        return self._length

    def flush(self):
        """Does nothing: a chunk is written when it is full."""
        self._check_open()

    def close(self):
        if self.closed or self._target is None:
            return
        try:
            self._finish()
        finally:
            super().close()

    def discard(self) -> None:
        """Closes without a result: a file that existed before stays as it was."""
        if self.closed:
            return
        self._pipe.abandon()
        try:
            if self._worker is not None:
                self._worker.finish()
        except Exception:  # it was told to stop
            pass
        finally:
            self._target.discard()
            super().close()

    def __exit__(self, kind, error, traceback):
        if kind is None:
            self.close()
        else:
            self.discard()

    def _start(self, data):
        if self._options['type'] is None and self._options['plan'] is None:
            self._options['type'], self._options['big_endian'] = _core.type_of(data)
        self._worker = Worker(self._work(), self._pipe.abandon)

    def _work(self):
        read, write, options = self._pipe.read, self._target.file.write, self._options
        return lambda: _core.compress_stream(read, write, **options)

    def _finish(self):
        self._pipe.end()
        try:
            if self._worker is not None:
                self._worker.finish()
            else:
                self._work()()  # an original of no bytes
        except BaseException:
            self._target.discard()
            raise
        self._target.commit()

    def _fail(self):
        """The thread has stopped: says why."""
        try:
            self._worker.finish()
            raise ValueError('the file has failed before')
        finally:
            self._target.discard()
            super().close()

    def _check_open(self):
        if self.closed:
            raise ValueError('I/O operation on closed file')


@overload
def open(
    file: _Input, mode: Literal['r', 'rb'] = 'rb', *, max_output: int | None = None, threads: int = 0
) -> io.BufferedReader: ...
@overload
def open(
    file: _Output,
    mode: Literal['w', 'wb', 'x', 'xb', 'a', 'ab'],
    *,
    type: str | None = None,
    plan: _core.Plan | None = None,
    level: int | None = None,
    effort: Literal['fastest', 'fast', 'normal', 'best'] = 'normal',
    threads: int = 0,
    chunk: int | None = None,
    protect: int = 0,
) -> Writer: ...


def open(  # type: ignore[no-untyped-def]
    file, mode='rb', *, type=None, plan=None, level=None, effort='normal', max_output=None, threads=0, chunk=None,
    protect=0,
):
    """Opens a .tdz file, and returns a binary file object of its original.

    `file` is a path, or an object with read() or write(), which stays open.

    'rb' reads. The object has seek() if the file has; then only the chunks that are read are decoded. `max_output`:
    LimitError if the original is longer; without it, if more is read at once than there is free memory.

    'wb' writes, 'xb' refuses a file that exists, 'ab' appends a stream to it. `type`, `plan`, `level`, `effort` and
    `protect` are those of compress(); without type and plan, the dtype of the first write() says what the numbers are. `chunk`:
    about how many original bytes are compressed, and restored, as a whole; None suits the numbers. A new file has its name
    only when close() has returned. If `with` ends by an exception, there is no new file, and an old one stays as it was.
    """
    for_writing = {'type': type, 'plan': plan, 'level': level, 'effort': effort, 'chunk': chunk, 'protect': protect}
    if mode in ('r', 'rb'):
        if any(value not in (None, 'normal', 0) for value in for_writing.values()):
            raise ValueError('`type`, `plan`, `level`, `effort`, `chunk` and `protect` are for writing')
        return _open_to_read(file, max_output, threads)
    if mode not in ('w', 'wb', 'x', 'xb', 'a', 'ab'):
        raise ValueError(f"the mode must be 'rb', 'wb', 'xb' or 'ab', not {mode!r}")
    if max_output is not None:
        raise ValueError('`max_output` is for reading')
    options = {'threads': threads, **for_writing}
    _core.check_options(**options)
    return Writer(file, target_for(file, mode[0]), options)


def _open_to_read(file, max_output, threads):
    source = Source(file)
    try:
        kind = _PipeReader if source.file is None else _Reader
        return io.BufferedReader(kind(file, source, max_output, threads), _BUFFER)
    except BaseException:
        source.close()
        raise


def _name_of(file):
    return os.fspath(file) if isinstance(file, (str, os.PathLike)) else getattr(file, 'name', None)


def info(file: _Input | Buffer, *, chunks: bool = False) -> dict[str, Any]:
    """What a .tdz file says of itself, as a dict; docs/json.md names its members. No data is decoded.

    `file` is a path, an object with read() and seek(), or the bytes of a file. `chunks`: with a list of all chunks.
    """
    with Source(file) as source:
        if source.file is None:
            raise io.UnsupportedOperation('info() needs a file that has seek()')
        return json.loads(_core.info_json(source.file, source.size, chunks=chunks))


def check(file: _Input | Buffer, *, max_output: int | None = None, threads: int = 0) -> int:
    """Decodes all of a .tdz file, compares all digests, and returns the number of original bytes.

    `file` is a path, an object with read(), or the bytes of a file. Raises what decompress() would raise, except that
    nothing is kept: without `max_output` there is no limit.
    """
    with Source(file) as source:
        if source.file is None:
            return _core.decompress_stream(source.read, None, max_output=max_output, threads=threads)[0]
        return _core.check_file(source.file, source.size, max_output=max_output, threads=threads)
