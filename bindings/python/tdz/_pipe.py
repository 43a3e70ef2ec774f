# SPDX-License-Identifier: Apache-2.0
"""Coding in a thread of its own, for files that the caller writes or reads piece by piece."""

import atexit
import collections
import threading
import weakref

PIECE = 1 << 20
MOST = 16 * PIECE


class Abandoned(Exception):
    """The other side wants no more bytes."""


class Pipe:
    """Bytes from one thread to another, about MOST of them at a time."""

    def __init__(self):
        self._changed = threading.Condition()
        self._pieces = collections.deque()
        self._held = 0
        self._ended = False
        self._abandoned = False

    def write(self, piece):
        """Takes bytes that nobody changes. Waits while too many are held."""
        with self._changed:
            self._changed.wait_for(lambda: self._held < MOST or self._abandoned)
            if self._abandoned:
                raise Abandoned
            if piece:
                self._pieces.append(piece)
                self._held += len(piece)
                self._changed.notify_all()

    def end(self):
        """Behind the bytes written so far there are no more."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def abandon(self):
        """Both sides stop with Abandoned."""
        with self._changed:
            self._abandoned = True
            self._changed.notify_all()

    def read(self, most):
        """1 to `most` bytes, or b'' at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._pieces or self._ended or self._abandoned)
            if self._abandoned:
                raise Abandoned
            if not self._pieces:
                return b''
            piece = self._pieces.popleft()
            if len(piece) > most:
                self._pieces.appendleft(memoryview(piece)[most:])
                piece = piece[:most]
            self._held -= len(piece)
            self._changed.notify_all()
            return piece


class Worker:
    """Runs work() in a thread; finish() waits and raises what it raised. `failed` is called after an error."""

    def __init__(self, work, failed):
        self._error = None
        self._failed = failed
        self._thread = threading.Thread(target=self._run, args=(work,), name='tdz', daemon=True)
        self._thread.start()

    def _run(self, work):
        try:
            work()
        except BaseException as error:
            self._error = error
            self._failed()

    def finish(self):
        self._thread.join()
        error, self._error = self._error, None
        if error is not None:
            raise error


# A thread must not run Python code while the interpreter ends. So the files that are still open are closed before.
open_files = weakref.WeakSet()


@atexit.register
def _close_all():
    for file in list(open_files):
        file.close()
