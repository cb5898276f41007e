"""
A model's second graph, for this project's own runtime on WebAssembly. Norms, RoPE and SiLU are ONNX Runtime's fused operators,
and logits are computed for the places that are asked for only. The AR model's goes on greedily by itself in a Loop, so that
keys and values stay inside and one call writes several tokens; it takes what the MDLM's graph does, with the position of a
token for its block. Weights are not stored again: they are read out of model.onnx beside it.
"""
from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from config import END, NEVER, PADS
from graph import BANNED, FLOAT, INT32, INT64, Builder, hide
from model import Decoder

BOOL = TensorProto.BOOL
FUSED = "com.microsoft"
SMALL = 1024
"""Initializers up to so many bytes are stored in the graph itself."""


def value(name: str, kind: int, shape: list | None = None) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, shape)


class Parts:
    """What the pass over the given tokens and the body of the loop have in common; `b` holds all constants. The tokens of
    `banned` never come out."""

    def __init__(self, b: Builder, model: Decoder, banned: tuple[int, ...]):
        self.b, self.c = b, model.c
        c, self.layers = model.c, []
        self.embed = b.weight("embed", model.embed)
        self.head = b.op("Transpose", self.embed, perm=[1, 0])
        for i, layer in enumerate(model.layers):
            names = ("norm1", "qkv", "out", "norm2", "gate_up", "down")
            self.layers.append({n: b.weight(f"layers.{i}.{n}", getattr(layer, n)) for n in names})
        self.norm = b.weight("norm", model.norm)
        freq = c.theta ** (-np.arange(0, c.head_dim, 2) / c.head_dim)
        # Folded when the graph is loaded.
        places = b.op("Range", *(b.constant(f"place_{v}", np.float32(v)) for v in (0, c.max_positions, 1)))
        angle = b.op("Mul", b.op("Unsqueeze", places, b.ints(1)), b.constant("rope.freq", freq.astype(np.float32)))
        self.cos, self.sin = b.op("Cos", angle), b.op("Sin", angle)
        self.heads = b.constant("heads", np.array([0, 0, c.heads, c.head_dim], dtype=np.int64))
        self.flat = b.constant("flat", np.array([0, 0, c.heads * c.head_dim], dtype=np.int64))
        row = np.zeros(c.vocab, dtype=np.float32)
        row[list(banned)] = BANNED
        self.banned = b.constant("banned", row)

    def add_norm(self, g: Builder, x: str, y: str, weight: str) -> tuple[str, str]:
        """x + y and its norm."""
        n = g.count["skip"] = g.count.get("skip", 0) + 1
        outputs = [f"normed_{n}", "", "", f"sum_{n}"]
        kind = "SkipSimplifiedLayerNormalization"
        g.nodes.append(
            helper.make_node(kind, [x, y, weight], outputs, name=f"skip_{n}", domain=FUSED, epsilon=self.c.eps)
        )
        return outputs[3], outputs[0]

    def hidden(self, g: Builder, ids: str, positions: str, attend) -> str:
        """[B,S] to the normed hidden states [B,S,hidden]; attend(layer, q, k, v) -> [B,H,S,D]."""
        c, b = self.c, self.b
        x, y, h = g.op("Gather", self.embed, ids, axis=0), None, ""
        place = g.op("Cast", positions, to=INT64)
        for i, w in enumerate(self.layers):
            if y is None:
                h = g.op("SimplifiedLayerNormalization", x, w["norm1"], axis=-1, epsilon=c.eps, stash_type=1)
            else:
                x, h = self.add_norm(g, x, y, w["norm1"])
            q, k, v = g.op("Split", g.op("MatMul", h, w["qkv"]), outputs=3, axis=-1)
            q, k = (
                g.op("RotaryEmbedding", part, place, self.cos, self.sin, domain=FUSED, num_heads=c.heads)
                for part in (q, k)
            )
            q = g.op("Mul", q, b.number(c.head_dim**-0.5))
            q, k, v = (g.op("Transpose", g.op("Reshape", part, self.heads), perm=[0, 2, 1, 3]) for part in (q, k, v))
            a = g.op("Reshape", g.op("Transpose", attend(i, q, k, v), perm=[0, 2, 1, 3]), self.flat)
            x, h = self.add_norm(g, x, g.op("MatMul", a, w["out"]), w["norm2"])
            gate, up = g.op("Split", g.op("MatMul", h, w["gate_up"]), outputs=2, axis=-1)
            gate = g.op("QuickGelu", gate, domain=FUSED, alpha=1.0)
            y = g.op("MatMul", g.op("Mul", gate, up), w["down"])
        return self.add_norm(g, x, y, self.norm)[1]

    def choose(self, g: Builder, h: str, logits: str | None = None) -> tuple[str, str]:
        """[N,hidden] to the best tokens int32 [N] and their probabilities [N]."""
        return self.best_of(g, g.op("Add", g.op("MatMul", h, self.head), self.banned, out=logits))

    def best_of(self, g: Builder, scores: str) -> tuple[str, str]:
        """[N,vocab] to the best tokens int32 [N] and their probabilities [N]."""
        b = self.b
        best = g.op("Cast", g.op("ArgMax", scores, axis=-1, keepdims=0), to=INT32)
        e = g.op("Exp", g.op("Sub", scores, g.op("ReduceMax", scores, axes=[-1], keepdims=1)))
        return best, g.op("Div", b.number(1.0), g.op("ReduceSum", e, b.ints(-1), keepdims=0))


def scores(g: Builder, q: str, k: str) -> str:
    return g.op("MatMul", q, g.op("Transpose", k, perm=[0, 1, 3, 2]))


class Pass:
    """
    One pass over given tokens behind a past, with its inputs: int32 `input_ids`, `positions`, `block_ids` [B,S],
    `past_block_ids` [B,P], `past.i.key|value` [B,H,P,D] and `read`, places counted over all rows. A key is visible where
    block(key) <= block(query). Outputs `best`, `confidence` and `logits` of the places in `read`.
    """

    def __init__(self, b: Builder, model: Decoder, banned: tuple[int, ...]):
        c, row = model.c, ["batch", "sequence"]
        self.ids, self.positions, self.blocks = (b.input(name, INT32, row) for name in ("input_ids", "positions", "block_ids"))
        before = b.input("past_block_ids", INT32, ["batch", "past"])
        self.read = b.input("read", INT32, ["read"])
        for i in range(c.layers):
            for name in ("key", "value"):
                b.input(f"past.{i}.{name}", FLOAT, ["batch", c.heads, "past", c.head_dim])
        self.parts = Parts(b, model, banned)
        self.every = b.op("Unsqueeze", b.op("Concat", before, self.blocks, axis=1), b.ints(1, 2))
        bias = hide(b, b.op("LessOrEqual", self.every, b.op("Unsqueeze", self.blocks, b.ints(1, 3))))
        # New keys and values of each layer, and those behind the past.
        self.given, self.keys, self.values = {}, {}, {}

        def attend(i: int, q: str, k: str, v: str) -> str:
            self.given[i] = (k, v)
            self.keys[i], self.values[i] = (
                b.op("Concat", f"past.{i}.{name}", new, axis=2) for name, new in (("key", k), ("value", v))
            )
            probs = b.op("Softmax", b.op("Add", scores(b, q, self.keys[i]), bias), axis=-1)
            return b.op("MatMul", probs, self.values[i])

        h = self.parts.hidden(b, self.ids, self.positions, attend)
        rows = b.op("Reshape", h, b.constant("rows", np.array([-1, c.hidden], dtype=np.int64)))
        self.best, self.confidence = self.parts.choose(b, b.op("Gather", rows, self.read, axis=0), "logits")
        b.op("Identity", self.best, out="best")
        b.op("Identity", self.confidence, out="confidence")
        b.output("best", INT32, ["read"])
        b.output("confidence", FLOAT, ["read"])
        b.output("logits", FLOAT, ["read", c.vocab])


def fused_model(b: Builder, name: str) -> onnx.ModelProto:
    graph = helper.make_graph(b.nodes, name, b.inputs, b.outputs, list(b.initializers.values()))
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
    out = helper.make_model(graph, opset_imports=opsets, producer_name="terrarium")
    out.ir_version = 8
    return out


def decode_graph(model: Decoder) -> onnx.ModelProto:
    """
    The AR model's: a `Pass`, where `read` [B] is the place of each row's last token, then a Loop. More inputs: int32 `ends` [B],
    the `<end>` each row may still write; int64 `more` [], tokens to go on with at most. It stops when no row may write another
    `<end>`. More outputs: `written`, `sureness` [n,B] of what came after; and `present.i.key|value` [B,H,S+n,D] of the
    tokens that were run (the last one written was not).
    """
    b, c = Builder(), model.c
    layers = range(c.layers)
    first = Pass(b, model, (*NEVER, *PADS))
    parts, every, keys, values = first.parts, first.every, first.keys, first.values
    ends, more = b.input("ends", INT32, ["batch"]), b.input("more", INT64, [])

    # What a row sees of the tokens that were given stays the same from here on.
    picked = [b.op("Gather", b.op("Reshape", x, b.ints(-1)), first.read, axis=0) for x in (first.positions, first.blocks)]
    seen = hide(b, b.op("LessOrEqual", every, b.op("Unsqueeze", picked[1], b.ints(1, 2, 3))))
    zero, one = b.constant("zero32", np.int32(0)), b.constant("one32", np.int32(1))
    end = b.constant("end32", np.int32(END))

    def left(g: Builder, ends: str, token: str) -> tuple[str, str]:
        ends = g.op("Sub", ends, g.op("Cast", g.op("Equal", token, end), to=INT32))
        return ends, g.op("Greater", g.op("ReduceMax", ends, axes=[0], keepdims=0), zero)

    ends, goes = left(b, ends, first.best)
    tail = b.constant("empty_tail", np.array([c.heads, 0, c.head_dim], dtype=np.int64))
    empty = b.op("ConstantOfShape", b.op("Concat", b.op("Shape", first.ids, start=0, end=1), tail, axis=0))
    static = b.op("Shape", every, start=3, end=4)

    g = Builder()
    g.count, g.initializers = b.count, b.initializers
    carried = [f"{i}.{name}" for i in layers for name in ("key", "value")]
    inputs = [value("turn", INT64, []), value("goes", BOOL, [])]
    inputs += [value(name, INT32, ["batch"]) for name in ("token", "position", "ends_left")]
    inputs += [value(f"recent.{name}", FLOAT) for name in carried]
    grown, sizes = {}, []

    def attend_later(i: int, q: str, k: str, v: str) -> str:
        key, val = (
            g.op("Concat", f"recent.{i}.{name}", new, axis=2) for name, new in (("key", k), ("value", v))
        )
        grown[i] = (key, val)
        if not sizes:
            sizes.append(g.op("Concat", static, g.op("Shape", key, start=2, end=3), axis=0))
        given = g.op("Add", scores(g, q, keys[i]), seen)
        probs = g.op("Softmax", g.op("Concat", given, scores(g, q, key), axis=-1), axis=-1)
        there, here = g.op("Split", probs, sizes[0], outputs=2, axis=-1)
        return g.op("Add", g.op("MatMul", there, values[i]), g.op("MatMul", here, val))

    position = g.op("Add", "position", one)
    column = b.ints(1)
    h = parts.hidden(g, g.op("Unsqueeze", "token", column), g.op("Unsqueeze", position, column), attend_later)
    token, sureness = parts.choose(g, g.op("Squeeze", h, column))
    ends_left, goes_on = left(g, "ends_left", token)
    outputs = [value(goes_on, BOOL), value(token, INT32), value(position, INT32), value(ends_left, INT32)]
    outputs += [value(name, FLOAT) for i in layers for name in grown[i]]
    # Their rank has to be known: a loop that does not run gives nothing else to go by.
    outputs += [value(g.op("Identity", token), INT32, ["batch"]), value(g.op("Identity", sureness), FLOAT, ["batch"])]
    body = helper.make_graph(g.nodes, "body", inputs, outputs)
    results = ["last_token", "last_position", "last_ends", *(f"later.{name}" for name in carried), "written", "sureness"]
    start = [more, goes, first.best, picked[0], ends, *[empty] * len(carried)]
    b.nodes.append(helper.make_node("Loop", start, results, name="loop", body=body))

    b.output("written", INT32, ["written", "batch"])
    b.output("sureness", FLOAT, ["written", "batch"])
    for i in layers:
        for name, new in zip(("key", "value"), first.given[i]):
            b.op("Concat", new, f"later.{i}.{name}", axis=2, out=f"present.{i}.{name}")
            b.output(f"present.{i}.{name}", FLOAT, ["batch", c.heads, "added", c.head_dim])
    return fused_model(b, "terrarium_decode")


def save_beside(graph: onnx.ModelProto, path: Path, weights: Path) -> None:
    """Writes the graph with its large initializers left in another file of the same folder."""
    held = weights.read_bytes()
    for tensor in graph.graph.initializer:
        data = tensor.raw_data
        if len(data) <= SMALL:
            continue
        offset = held.find(data)
        if offset < 0:
            raise SystemExit(f"{weights} does not hold {tensor.name}")
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, text in (("location", weights.name), ("offset", str(offset)), ("length", str(len(data)))):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, text
    onnx.save(graph, path)
