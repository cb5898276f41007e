/** Graphs of number formats that cannot be fed or computed are refused when they are loaded, not in the first step. */
import { expect, it } from 'vitest';
import { ModelSession } from './session';

/** ONNX: logits = x times x, 2 by 2, with inputs, outputs and computation of the formats in the name. */
const GRAPHS = {
  float16:
    'CAkSADpcChEKAXgKAXgSAW0iBk1hdE11bAoVCgFtEgZsb2dpdHMiCElkZW50aXR5EgFnWhMKAXgSDgoMCAoSCAoCCAIKAggCYhgK' +
    'BmxvZ2l0cxIOCgwIChIICgIIAgoCCAJCBAoAEBM=',
  float64:
    'CAkSADpcChEKAXgKAXgSAW0iBk1hdE11bAoVCgFtEgZsb2dpdHMiCElkZW50aXR5EgFnWhMKAXgSDgoMCAsSCAoCCAIKAggCYhgK' +
    'BmxvZ2l0cxIOCgwICxIICgIIAgoCCAJCBAoAEBM=',
  bfloat16:
    'CAkSADpcChEKAXgKAXgSAW0iBk1hdE11bAoVCgFtEgZsb2dpdHMiCElkZW50aXR5EgFnWhMKAXgSDgoMCBASCAoCCAIKAggCYhgK' +
    'BmxvZ2l0cxIOCgwIEBIICgIIAgoCCAJCBAoAEBM=',
  'float32 and float8 inside':
    'CAkSADp/ChgKAXgSAnhjIgRDYXN0KgkKAnRvGBGgAQIKEwoCeGMKAnhjEgFtIgZNYXRNdWwKHAoBbRIGbG9naXRzIgRDYXN0KgkK' +
    'AnRvGAGgAQISAWdaEwoBeBIOCgwIARIICgIIAgoCCAJiGAoGbG9naXRzEg4KDAgBEggKAggCCgIIAkIECgAQEw==',
  'float32 and bfloat16 inside':
    'CAkSADp/ChgKAXgSAnhjIgRDYXN0KgkKAnRvGBCgAQIKEwoCeGMKAnhjEgFtIgZNYXRNdWwKHAoBbRIGbG9naXRzIgRDYXN0KgkK' +
    'AnRvGAGgAQISAWdaEwoBeBIOCgwIARIICgIIAgoCCAJiGAoGbG9naXRzEg4KDAgBEggKAggCCgIIAkIECgAQEw==',
  'float32 and float16 inside':
    'CAkSADp/ChgKAXgSAnhjIgRDYXN0KgkKAnRvGAqgAQIKEwoCeGMKAnhjEgFtIgZNYXRNdWwKHAoBbRIGbG9naXRzIgRDYXN0KgkK' +
    'AnRvGAGgAQISAWdaEwoBeBIOCgwIARIICgIIAgoCCAJiGAoGbG9naXRzEg4KDAgBEggKAggCCgIIAkIECgAQEw==',
};
const bytesOf = (name: keyof typeof GRAPHS) => new Uint8Array(Buffer.from(GRAPHS[name], 'base64'));

it.each([
  ['float16', /input "x" of the graph is float16/],
  ['float64', /input "x" of the graph is float64/],
  ['bfloat16', /MatMul/],
  ['float32 and float8 inside', /float8/],
  ['float32 and bfloat16 inside', /MatMul/],
] as const)('%s is refused', async (name, message) => {
  await expect(ModelSession.create(bytesOf(name), 'wasm')).rejects.toMatchObject({
    code: 'unsupported_dtype',
    message: expect.stringMatching(message),
    advice: expect.stringMatching(/float32/),
  });
});

it('float16 inside a graph that takes and gives float32 is computed', async () => {
  const session = await ModelSession.create(bytesOf('float32 and float16 inside'), 'wasm');
  const { logits } = await session.run({ x: session.float32(Float32Array.of(1, 2, 3, 4), [2, 2]) }, ['logits']);
  expect(await logits?.getData()).toEqual(Float32Array.of(7, 10, 15, 22));
  await session.dispose();
});

it('what is no graph at all is not taken for a number format', async () => {
  const load = ModelSession.create(new TextEncoder().encode('not a model'), 'wasm');
  await expect(load).rejects.toMatchObject({ code: 'session' });
});
