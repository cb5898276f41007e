/** What a loaded model tells about itself; it stands in every record. */
import type { FileEntry, ModelConfig, ModelKind } from './config';
import type { ProviderName } from './session';

export interface ModelInfo {
  id: string;
  kind: ModelKind;
  provider: ProviderName;
  /** Why it does not run on WebGPU although that was asked for; null when it does or was not. */
  fallbackReason: string | null;
  /** Name of the graphics adapter; null on WASM. */
  adapter: string | null;
  dtype: string;
  runtime: 'terrarium' | 'transformers.js';
  files: { [path: string]: FileEntry };
  parameters: number | null;
  version: string;
  codec: number;
}

/** Info of a folder run by this project's own runtime. */
export function infoOf(
  config: ModelConfig,
  provider: ProviderName,
  adapter: string | null,
  fallbackReason: string | null,
): ModelInfo {
  return {
    id: config.kind,
    kind: config.kind,
    provider,
    fallbackReason,
    adapter,
    dtype: 'fp32 (weights stored as fp16)',
    runtime: 'terrarium',
    files: config.files,
    parameters: config.parameters,
    version: config.version,
    codec: config.codec,
  };
}
