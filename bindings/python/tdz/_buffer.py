# SPDX-License-Identifier: Apache-2.0
"""For type checkers: what functions of tdz take as memory."""

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from typing_extensions import Buffer as _Buffer

    class _Array(Protocol):
        """Arrays of numpy, whose stubs call them buffers only from Python 3.12 on."""

        @property
        def __array_interface__(self) -> Any: ...

    Buffer = _Buffer | _Array
else:
    Buffer = Any
