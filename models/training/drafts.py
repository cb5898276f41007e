"""
The MDLM's second graph: a `Pass` (decode.py), then a Loop that goes on greedily by itself: it checks a draft, keeps what the model
says one token at a time, and drafts again, as src/models/diffusion/drafting.ts does with one call a pass
(docs/decisions/0011-drafts-that-are-checked.md).
"""
from __future__ import annotations

import numpy as np
import onnx
from onnx import helper

from config import END, MASK, NEVER, PADS
from decode import BOOL, Pass, fused_model, scores, value
from graph import BANNED, FLOAT, INT32, INT64, Builder, hide
from model import Decoder


def count(g: Builder, flags: str) -> str:
    """How many are true, int64 [1]."""
    return g.op("ReduceSum", g.op("Cast", flags, to=INT64), g.ints(0), keepdims=1)


def leading(g: Builder, flags: str) -> str:
    """How many are true before the first that is not, int64 [1]."""
    faults = g.op("CumSum", g.op("Cast", g.op("Not", flags), to=INT32), g.constant("axis_0", np.int32(0)))
    return count(g, g.op("Equal", faults, g.constant("zero32", np.int32(0))))


def first(g: Builder, x: str, n: str, start: str | None = None) -> str:
    """The `n` entries of a vector from `start` on."""
    return g.op("Slice", x, start or g.ints(0), g.op("Add", start, n) if start else n, g.ints(0))


def window_graph(model: Decoder) -> onnx.ModelProto:
    """
    In: those of a `Pass`; int64 `more` [], passes to go on with at most (0: the pass alone, of any number of rows); int64 `masks` [1]
    and fp32 `least` [] of a draft; int32 `ends` [1], the `<end>` that may still be written. To go on there is one row, and `read` is
    its last clean token and the masks behind it.
    Out: those of a `Pass` and `present.i.key|value` [B,H,S,D] of the tokens it ran; int32 `written`, fp32 `sureness` and int32
    `round` [n] of what was chosen by the pass (round 0) and those after it; int64 `ran` [1], the tokens the later passes ran; and
    `later.i.key|value` [1,H,n-1,D] of all that were written but the last.
    """
    b, c = Builder(), model.c
    layers = range(c.layers)
    given = Pass(b, model, NEVER)
    parts, keys, values = given.parts, given.keys, given.values
    more, masks = b.input("more", INT64, []), b.input("masks", INT64, [1])
    least, ends = b.input("least", FLOAT, []), b.input("ends", INT32, [1])
    zero, one, end = (b.constant(name, np.int32(v)) for name, v in (("zero32", 0), ("one32", 1), ("end32", END)))
    unit, origin = b.ints(1), b.ints(0)

    # Text has no pads; the pass itself may say that a window has.
    every = b.op("Range", *(b.constant(f"int_{v}", np.int32(v)) for v in (0, c.vocab, 1)))
    pads = [b.constant(f"int_{v}", np.int32(v)) for v in (PADS[0], PADS[-1])]
    pad = b.op("And", b.op("GreaterOrEqual", every, pads[0]), b.op("LessOrEqual", every, pads[1]))
    no_pads = b.op("Where", pad, b.number(BANNED), b.number(0.0))
    text = b.op("Add", "logits", no_pads)
    best, sure = parts.best_of(b, text)
    chosen, sureness = first(b, best, unit), first(b, sure, unit)
    rest = b.op("Sub", b.op("Shape", best), unit)
    said, felt = first(b, best, rest, unit), first(b, sure, rest, unit)
    draft = first(b, said, leading(b, b.op("GreaterOrEqual", felt, least)))
    at = first(b, given.read, unit)
    position, block = (b.op("Gather", b.op("Reshape", x, b.ints(-1)), at, axis=0) for x in (given.positions, given.blocks))
    seen = hide(b, b.op("LessOrEqual", given.every, b.op("Unsqueeze", block, b.ints(1, 2, 3))))
    taken = b.op("Cast", count(b, b.op("Equal", chosen, end)), to=INT32)
    left = b.op("Sub", ends, taken)
    goes = b.op("Squeeze", b.op("Greater", left, zero), origin)
    shape = b.constant("no_tokens", np.array([1, c.heads, 0, c.head_dim], dtype=np.int64))
    empty = b.op("ConstantOfShape", shape)
    static = b.op("Shape", given.every, start=3, end=4)

    g = Builder()
    g.count, g.initializers = b.count, b.initializers
    carried = [f"{i}.{name}" for i in layers for name in ("key", "value")]
    vectors = {"last": INT32, "drafted": INT32, "place": INT32, "left": INT32, "tokens": INT32, "sures": FLOAT, "rounds": INT32, "work": INT64}
    inputs = [value("turn", INT64, []), value("goes", BOOL, [])]
    inputs += [value(f"in_{name}", kind, [None]) for name, kind in vectors.items()]
    inputs += [value(f"recent.{name}", FLOAT, [1, c.heads, None, c.head_dim]) for name in carried]
    # The draft, without the `<end>` that ends the answer; behind that there is nothing to draft.
    nth = g.op("CumSum", g.op("Cast", g.op("Equal", "in_drafted", end), to=INT32), b.constant("axis_0", np.int32(0)))
    kept = count(g, g.op("Less", nth, "in_left"))
    over = g.op("Less", kept, g.op("Shape", "in_drafted"))
    tested = first(g, "in_drafted", kept)
    behind = g.op("Where", over, origin, masks)
    fill = g.op("ConstantOfShape", behind, value=helper.make_tensor("mask", INT32, [1], [MASK]))
    ids = g.op("Concat", "in_last", tested, fill, axis=0)
    size = g.op("Shape", ids)
    run = g.op("Cast", g.op("Range", b.constant("zero", np.int64(0)), g.op("Squeeze", size, origin), b.constant("one", np.int64(1))), to=INT32)
    positions = g.op("Add", g.op("Add", "in_place", one), run)
    # A clean token sees those up to itself, a mask all.
    across, down = g.op("Unsqueeze", run, origin), g.op("Unsqueeze", run, unit)
    own = g.op("Or", g.op("LessOrEqual", across, down), g.op("Greater", down, g.op("Cast", kept, to=INT32)))
    before = g.op("Shape", f"recent.{carried[0]}", start=2, end=3)
    open_ = g.op("ConstantOfShape", g.op("Concat", size, before, axis=0))
    bias = g.op("Unsqueeze", g.op("Concat", open_, hide(g, own), axis=1), b.ints(0, 1))
    sizes = g.op("Concat", static, g.op("Add", before, size), axis=0)
    grown = {}

    def attend(i: int, q: str, k: str, v: str) -> str:
        grown[i] = [g.op("Concat", f"recent.{i}.{name}", new, axis=2) for name, new in (("key", k), ("value", v))]
        there = g.op("Add", scores(g, q, keys[i]), seen)
        here = g.op("Add", scores(g, q, grown[i][0]), bias)
        probs = g.op("Softmax", g.op("Concat", there, here, axis=-1), axis=-1)
        left_, right = g.op("Split", probs, sizes, outputs=2, axis=-1)
        return g.op("Add", g.op("MatMul", left_, values[i]), g.op("MatMul", right, grown[i][1]))

    h = parts.hidden(g, g.op("Unsqueeze", ids, origin), g.op("Unsqueeze", positions, origin), attend)
    logits = g.op("Add", g.op("MatMul", g.op("Squeeze", h, origin), parts.head), parts.banned)
    said, felt = parts.best_of(g, g.op("Add", logits, no_pads))
    right = leading(g, g.op("Equal", first(g, said, kept), tested))
    new = g.op("Add", right, unit)
    tokens, sures = first(g, said, new), first(g, felt, new)
    clean = g.op("Add", kept, unit)
    ahead = g.op("Sub", size, clean)
    drafted = first(g, said, ahead, clean)
    sure_ones = leading(g, g.op("GreaterOrEqual", first(g, felt, ahead, clean), least))
    useful = g.op("Mul", sure_ones, g.op("Cast", g.op("Equal", right, kept), to=INT64))
    left_after = g.op("Sub", "in_left", g.op("Cast", count(g, g.op("Equal", tokens, end)), to=INT32))
    round_ = g.op("Expand", g.op("Add", g.op("Cast", "turn", to=INT32), one), new)
    result = {
        "last": first(g, tokens, unit, right),
        "drafted": first(g, drafted, useful),
        "place": g.op("Add", "in_place", g.op("Cast", new, to=INT32)),
        "left": left_after,
        "tokens": g.op("Concat", "in_tokens", tokens, axis=0),
        "sures": g.op("Concat", "in_sures", sures, axis=0),
        "rounds": g.op("Concat", "in_rounds", round_, axis=0),
        "work": g.op("Add", "in_work", size),
    }
    # Keys and values of the token chosen last and of those of the draft that were right.
    upto = g.op("Add", before, new)
    tail = [g.op("Slice", x, origin, upto, b.ints(2)) for i in layers for x in grown[i]]
    go = g.op("Squeeze", g.op("Greater", left_after, zero), origin)
    outputs = [value(go, BOOL, [])] + [value(result[name], kind, [None]) for name, kind in vectors.items()]
    outputs += [value(name, FLOAT, [1, c.heads, None, c.head_dim]) for name in tail]
    body = helper.make_graph(g.nodes, "body", inputs, outputs)
    start = [more, goes, chosen, draft, position, left, chosen, sureness, b.constant("round_0", np.array([0], dtype=np.int32)), origin]
    results = ["end_last", "end_draft", "end_place", "end_left", "written", "sureness", "round", "ran", *(f"later.{name}" for name in carried)]
    b.nodes.append(helper.make_node("Loop", [*start, *[empty] * len(carried)], results, name="loop", body=body))

    for name, kind in (("written", INT32), ("sureness", FLOAT), ("round", INT32)):
        b.output(name, kind, ["written"])
    b.output("ran", INT64, [1])
    for i in layers:
        for name, pair in zip(("key", "value"), given.given[i]):
            b.op("Identity", pair, out=f"present.{i}.{name}")
            b.output(f"present.{i}.{name}", FLOAT, ["batch", c.heads, "sequence", c.head_dim])
            b.output(f"later.{i}.{name}", FLOAT, [1, c.heads, "later", c.head_dim])
    return fused_model(b, "terrarium_window")
