"""`replace` for frozen dataclasses without slots: what `dataclasses.replace` does, and type checkers see, in a tenth of the time.

The state after each event is a copy of the one before with a few things changed; going through `__init__` again for that
was half of the time that an event takes.
"""

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from dataclasses import replace
else:
    Value = TypeVar("Value")

    def replace(value: Value, /, **changes: object) -> Value:
        """A copy with these fields changed. Nothing is computed anew: not for dataclasses with `__post_init__`."""
        copy = object.__new__(type(value))
        fields = copy.__dict__
        fields |= value.__dict__
        fields |= changes
        return copy


__all__ = ["replace"]
