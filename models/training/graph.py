"""
The ONNX graphs, built node by node from plain operators (opset 17) that onnxruntime-web runs on WASM and WebGPU. Weights
are fp16 initializers, each followed by a Cast to fp32 that ONNX Runtime folds when it loads the model.
"""
from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from config import NEVER, PADS
from model import Decoder

FLOAT, INT32, INT64 = TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64
BANNED = -1e9


class Builder:
    """Nodes and initializers with readable, unique names."""

    def __init__(self):
        self.nodes, self.initializers, self.inputs, self.outputs, self.count = [], {}, [], [], {}

    def op(self, kind: str, *inputs: str, out: str | None = None, outputs: int = 1, **attributes):
        n = self.count[kind] = self.count.get(kind, 0) + 1
        names = [out] if out else [f"{kind.lower()}_{n}" + (f"_{j}" if outputs > 1 else "") for j in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=f"{kind}_{n}", **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, name: str, value) -> str:
        if name not in self.initializers:
            self.initializers[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def weight(self, name: str, value) -> str:
        """A weight [out, in] as fp16 [in, out] (vectors as they are), cast to fp32."""
        array = value.detach().cpu().numpy()
        array = array.T if array.ndim == 2 and name != "embed" else array
        self.constant(name, np.ascontiguousarray(array).astype(np.float16))
        return self.op("Cast", name, out=f"{name}.fp32", to=FLOAT)

    def number(self, value: float) -> str:
        return self.constant(f"number_{value}", np.float32(value))

    def ints(self, *values: int) -> str:
        return self.constant("ints_" + "_".join(map(str, values)), np.array(values, dtype=np.int64))

    def input(self, name: str, kind: int, shape: list) -> str:
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, name: str, kind: int, shape: list) -> None:
        self.outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def model(self, name: str) -> onnx.ModelProto:
        graph = helper.make_graph(self.nodes, name, self.inputs, self.outputs, list(self.initializers.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="terrarium")
        model.ir_version = 8
        onnx.checker.check_model(model, full_check=True)
        return model


def rms_norm(b: Builder, x: str, weight: str, eps: float) -> str:
    mean = b.op("ReduceMean", b.op("Mul", x, x), axes=[-1], keepdims=1)
    root = b.op("Sqrt", b.op("Add", mean, b.number(eps)))
    return b.op("Mul", b.op("Div", x, root), weight)


def turn(b: Builder, x: str, cos: str, sin: str) -> str:
    """RoPE on [B,H,S,D] with the halves convention (rotate_half)."""
    x1, x2 = b.op("Split", x, outputs=2, axis=-1)
    left = b.op("Sub", b.op("Mul", x1, cos), b.op("Mul", x2, sin))
    right = b.op("Add", b.op("Mul", x2, cos), b.op("Mul", x1, sin))
    return b.op("Concat", left, right, axis=-1)


def decoder(b: Builder, model: Decoder, ids: str, positions: str, bias: str, past: str, whole: bool) -> tuple[str, str]:
    """Everything between ids and logits (banned ones not yet masked). `past` is the prefix of the cache's input names;
    `whole` says whether present.* holds all keys or those of the new tokens only. -> (logits, name of the vocabulary axis)."""
    c = model.c
    embed = b.weight("embed", model.embed)
    x = b.op("Gather", embed, ids, axis=0)
    freq = c.theta ** (-np.arange(0, c.head_dim, 2) / c.head_dim)
    place = b.op("Unsqueeze", b.op("Cast", positions, to=FLOAT), b.ints(1, 3))
    angle = b.op("Mul", place, b.constant("rope.freq", freq.astype(np.float32)))
    cos, sin = b.op("Cos", angle), b.op("Sin", angle)
    heads = b.constant("heads", np.array([0, 0, c.heads, c.head_dim], dtype=np.int64))
    flat = b.constant("flat", np.array([0, 0, c.heads * c.head_dim], dtype=np.int64))
    for i, layer in enumerate(model.layers):
        at = f"layers.{i}."
        h = rms_norm(b, x, b.weight(at + "norm1", layer.norm1), c.eps)
        qkv = b.op("MatMul", h, b.weight(at + "qkv", layer.qkv))
        q, k, v = (
            b.op("Transpose", b.op("Reshape", part, heads), perm=[0, 2, 1, 3])
            for part in b.op("Split", qkv, outputs=3, axis=-1)
        )
        q = b.op("Mul", turn(b, q, cos, sin), b.number(c.head_dim**-0.5))
        k = turn(b, k, cos, sin)
        shape = ["batch", c.heads, "past", c.head_dim]
        pair = []
        for name, new in (("key", k), ("value", v)):
            before = b.input(f"{past}.{i}.{name}", FLOAT, shape)
            out = f"present.{i}.{name}"
            if whole:
                pair.append(b.op("Concat", before, new, axis=2, out=out))
            else:
                pair.append(b.op("Concat", before, b.op("Identity", new, out=out), axis=2))
            b.output(out, FLOAT, ["batch", c.heads, "total" if whole else "sequence", c.head_dim])
        scores = b.op("MatMul", q, b.op("Transpose", pair[0], perm=[0, 1, 3, 2]))
        probs = b.op("Softmax", b.op("Add", scores, bias), axis=-1)
        a = b.op("Reshape", b.op("Transpose", b.op("MatMul", probs, pair[1]), perm=[0, 2, 1, 3]), flat)
        x = b.op("Add", x, b.op("MatMul", a, b.weight(at + "out", layer.out)))
        h = rms_norm(b, x, b.weight(at + "norm2", layer.norm2), c.eps)
        gate, up = b.op("Split", b.op("MatMul", h, b.weight(at + "gate_up", layer.gate_up)), outputs=2, axis=-1)
        h = b.op("Mul", b.op("Mul", gate, b.op("Sigmoid", gate)), up)
        x = b.op("Add", x, b.op("MatMul", h, b.weight(at + "down", layer.down)))
    h = rms_norm(b, x, b.weight("norm", model.norm), c.eps)
    return b.op("MatMul", h, b.op("Transpose", embed, perm=[1, 0]))


def ban(b: Builder, logits: str, tokens: tuple[int, ...], vocab: int) -> str:
    row = np.zeros(vocab, dtype=np.float32)
    row[list(tokens)] = BANNED
    b.output("logits", FLOAT, ["batch", "sequence", vocab])
    return b.op("Add", logits, b.constant("banned", row), out="logits")


def hide(b: Builder, visible: str) -> str:
    return b.op("Where", visible, b.number(0.0), b.number(BANNED))


def ar_graph(model: Decoder) -> onnx.ModelProto:
    """Hugging Face's decoder with past: a key is visible if it is not masked and not later than the query."""
    b = Builder()
    ids = b.input("input_ids", INT64, ["batch", "sequence"])
    given = b.input("attention_mask", INT64, ["batch", "total"])
    positions = b.input("position_ids", INT64, ["batch", "sequence"])
    zero, one, axis = b.constant("zero", np.int64(0)), b.constant("one", np.int64(1)), b.constant("axis_1", np.int64(1))
    total = b.op("Gather", b.op("Shape", given), axis)
    size = b.op("Gather", b.op("Shape", ids), axis)
    keys = b.op("Cast", b.op("Range", zero, total, one), to=FLOAT)
    queries = b.op("Cast", b.op("Range", b.op("Sub", total, size), total, one), to=FLOAT)
    causal = b.op("LessOrEqual", keys, b.op("Unsqueeze", queries, b.ints(1)))
    present = b.op("Greater", b.op("Unsqueeze", b.op("Cast", given, to=FLOAT), b.ints(1, 2)), b.number(0.5))
    bias = hide(b, b.op("And", causal, present))
    logits = decoder(b, model, ids, positions, bias, "past_key_values", whole=True)
    ban(b, logits, (*NEVER, *PADS), model.c.vocab)
    return b.model("terrarium_ar")


def mdlm_graph(model: Decoder) -> onnx.ModelProto:
    """A key is visible where block(key) <= block(query). Statistics of the best token without TopK or ArgMax, which
    would leave the GPU."""
    b, vocab = Builder(), model.c.vocab
    row = ["batch", "sequence"]
    ids, positions = b.input("input_ids", INT32, row), b.input("positions", INT32, row)
    blocks = b.input("block_ids", INT32, row)
    before = b.input("past_block_ids", INT32, ["batch", "past"])
    keys = b.op("Unsqueeze", b.op("Concat", before, blocks, axis=1), b.ints(1, 2))
    visible = b.op("LessOrEqual", keys, b.op("Unsqueeze", blocks, b.ints(1, 3)))
    logits = ban(b, decoder(b, model, ids, positions, hide(b, visible), "past", whole=False), NEVER, vocab)

    numbers = b.constant("numbers", np.arange(vocab, dtype=np.float32))
    top = b.op("ReduceMax", logits, axes=[-1], keepdims=1)
    z = b.op("Sub", logits, top)
    first = b.op("ReduceMin", b.op("Where", b.op("Equal", logits, top), numbers, b.number(1e9)), axes=[-1], keepdims=1)
    e = b.op("Exp", z)
    last = b.ints(-1)
    total = b.op("ReduceSum", e, last, keepdims=1)
    others = b.op("Where", b.op("Equal", numbers, first), b.number(0.0), e)
    second = b.op("ReduceMax", others, axes=[-1], keepdims=1)
    confidence = b.op("Div", b.number(1.0), total)
    margin = b.op("Sub", confidence, b.op("Div", second, total))
    mean = b.op("Div", b.op("ReduceSum", b.op("Mul", e, z), last, keepdims=1), total)
    entropy = b.op("Sub", b.op("Log", total), mean)
    b.op("Squeeze", b.op("Cast", first, to=INT32), last, out="best")
    for name, value in (("confidence", confidence), ("margin", margin), ("entropy", entropy)):
        b.op("Squeeze", value, last, out=name)
    b.output("best", INT32, row)
    for name in ("confidence", "margin", "entropy"):
        b.output(name, FLOAT, row)
    return b.model("terrarium_mdlm")
