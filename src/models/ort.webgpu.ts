/** ONNX Runtime with WebGPU (and WASM) in browsers; its files are served by the page's own origin. */
import * as ort from 'onnxruntime-web/webgpu';
import mjs from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import { wasmThreads } from './threads';

ort.env.wasm.wasmPaths = { mjs, wasm };
ort.env.wasm.numThreads = wasmThreads();

export { ort };
