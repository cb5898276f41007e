/** A tiny ONNX writer: one matrix product with constant weights, for measuring what the runtime can do at best. */
import type { GemmShape } from './protocol';

const FLOAT = 1;
const IR_VERSION = 8;
const OPSET = 17;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A model `y = x @ w` with x [m, k] and constant w [k, n], as the bytes of an ONNX file (field numbers: onnx.proto3).
 * @param weights k * n numbers, row by row
 * @throws RangeError unless there are k * n weights
 */
export function matMulModel({ m, k, n }: GemmShape, weights: Float32Array<ArrayBuffer>): Bytes {
  if (weights.length !== k * n) throw new RangeError(`${weights.length} weights are not ${k} x ${n}`);
  const raw = new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength);
  const tensor = join(varint(1, k), varint(1, n), varint(2, FLOAT), text(8, 'w'), field(9, raw));
  const node = join(text(1, 'x'), text(1, 'w'), text(2, 'y'), text(4, 'MatMul'));
  const graph = join(
    field(1, node),
    text(2, 'product'),
    field(5, tensor),
    field(11, valueInfo('x', [m, k])),
    field(12, valueInfo('y', [m, n])),
  );
  return join(varint(1, IR_VERSION), field(7, graph), field(8, varint(2, OPSET)));
}

function valueInfo(name: string, shape: number[]): Bytes {
  const dims = join(...shape.map((size) => field(1, varint(1, size))));
  return join(text(1, name), field(2, field(1, join(varint(1, FLOAT), field(2, dims)))));
}

/** A field of a whole number. */
function varint(number: number, value: number): Bytes {
  return join(digits(number << 3), digits(value));
}

/** A field of bytes: a message, a text or raw data. */
function field(number: number, bytes: Bytes): Bytes {
  return join(digits((number << 3) | 2), digits(bytes.length), bytes);
}

function text(number: number, value: string): Bytes {
  return field(number, new TextEncoder().encode(value));
}

/** Base 128, least digit first, the top bit set on all but the last. */
function digits(value: number): Bytes {
  const out: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) | 128);
  return Uint8Array.from([...out, rest]);
}

function join(...parts: Bytes[]): Bytes {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
