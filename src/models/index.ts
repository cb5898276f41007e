/** Local models: loading a folder and answering actions with it. */
export { AutoregressiveSimulator } from './autoregressive/simulator';
export { parseConfig, type FileEntry, type ModelConfig, type ModelKind } from './config';
export { SAMPLERS, openSampler, type ParameterSpec, type SamplerName } from './diffusion/samplers';
export { DiffusionSimulator } from './diffusion/simulator';
export { ModelError, failureOf, type Failure, type ModelErrorCode } from './errors';
export { fetchConfig, fetchModel, type LoadProgress, type ModelFiles } from './files';
export type { ModelInfo } from './info';
export { loadSimulator, type LoadOptions, type ModelSimulator } from './load';
export type { ProviderName } from './session';
export { HttpSource, type ModelSource, type OnBytes } from './source';
export { VERIFIERS, type Judged, type Verifier } from './verifiers';
