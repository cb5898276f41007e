/** The text codec (DESIGN §3): one layout for all models. Version `CODEC_VERSION`. */
export * from './answer';
export * from './blocks';
export * from './fold';
export * from './json';
export * from './layout';
export * from './special';
export * from './text';
