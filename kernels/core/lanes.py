"""Loads and stores that let LLVM work on many lanes at once although tables are looked up.

LLVM does not gather from a table while it must fear that the loop's stores change it. What is
read by `table_at` is declared never to alias what `lane_at` reads and `set_lane` writes: a
table must not be written in the loop that reads it. Indices are those of an array of one axis,
never negative, and not checked.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

_BITS = 64


def _scope(builder: Any) -> Any:
    """Return the alias scope of tables as LLVM's metadata."""
    module = builder.module
    domain = module.add_metadata([ir.MetaDataString(module, "estoc.lanes")])
    return module.add_metadata(
        [module.add_metadata([ir.MetaDataString(module, "estoc.tables"), domain])]
    )


def _pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, args[0])
    index = args[1]
    if index.type.width < _BITS:
        widen = builder.sext if signature.args[1].signed else builder.zext
        index = widen(index, ir.IntType(_BITS))
    return builder.gep(array.data, [index])


def _loaded(context: Any, builder: Any, signature: Any, args: Any, kind: str) -> Any:
    value = builder.load(_pointer(context, builder, signature, args))
    value.set_metadata(kind, _scope(builder))
    return value


def _table_at(typing_context: Any, array: Any, index: Any) -> Any:
    """Entry of a table that the loop only reads."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _loaded(context, builder, signature, args, "alias.scope")

    return array.dtype(array, index), generate


def _lane_at(typing_context: Any, array: Any, index: Any) -> Any:
    """Entry of a buffer of lanes, which the loop may also write."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _loaded(context, builder, signature, args, "noalias")

    return array.dtype(array, index), generate


def _set_lane(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """Write an entry of a buffer of lanes."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = context.cast(builder, args[2], signature.args[2], array.dtype)
        stored = builder.store(value, _pointer(context, builder, signature, args))
        stored.set_metadata("noalias", _scope(builder))
        return cgutils.get_null_value(context.get_value_type(types.void))

    return types.void(array, index, value), generate


table_at: Any = intrinsic(_table_at)
lane_at: Any = intrinsic(_lane_at)
set_lane: Any = intrinsic(_set_lane)
