/** The AR model as a simulator: writes the answer left to right with a key-value cache. */
import type { Tokenizer } from '../../world/codec';
import type { Draft, Prediction } from '../../world/simulator';
import type { ModelConfig } from '../config';
import { GraphSimulator } from '../graphSimulator';
import type { ModelInfo } from '../info';
import { DecodeGraph } from './decode';
import { TokenLanes } from './lanes';
import { Writer, type CausalModel } from './writer';

export class AutoregressiveSimulator extends GraphSimulator<CausalModel> {
  private readonly writer: Writer;

  constructor(graph: CausalModel, config: ModelConfig, tokenizer: Tokenizer, info: ModelInfo) {
    super(graph, graph instanceof DecodeGraph ? new TokenLanes(graph) : null, config, tokenizer, info);
    this.writer = new Writer(config, tokenizer, this.verifiers);
  }

  /** As `Writer`, which counts a pass for each token. */
  protected answer(...all: Parameters<Writer['answer']>): AsyncGenerator<Draft | Prediction> {
    return this.writer.answer(...all);
  }
}
