/**
 * ONNX Runtime with WASM only in browsers: half the size of the build with WebGPU, and faster, since its code is not
 * rewritten so that it can wait for the GPU (asyncify).
 */
import * as ort from 'onnxruntime-web/wasm';
import mjs from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import { wasmThreads } from './threads';

ort.env.wasm.wasmPaths = { mjs, wasm };
ort.env.wasm.numThreads = wasmThreads();

export { ort };
