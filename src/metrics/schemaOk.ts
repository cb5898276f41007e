/** Whether an answer has the form its tool promises. */
import { binary, NOT_COUNTED } from './definition';
import { schemaErrors, type SchemaError } from './schema';
import type { Action, Tool, Transition } from '../world/types';

/** The tool a call names, if the world has it. */
export function toolOf(tools: readonly Tool[], action: Action): Tool | undefined {
  return 'tool' in action ? tools.find(({ name }) => name === action.tool) : undefined;
}

/**
 * What an answer's observation does against the tool's `outputSchema`; empty when it is valid. As in MCP the schema binds
 * successful answers (text counts as a string), and an error is plain text.
 */
export function answerSchemaErrors(tool: Tool, { observation, status }: Transition): SchemaError[] {
  if (status !== 'ok') return observation.kind === 'text' ? [] : [{ path: '', keyword: 'error' }];
  const value = observation.kind === 'json' ? observation.value : observation.text;
  return tool.outputSchema ? schemaErrors(tool.outputSchema, value) : [];
}

/**
 * Share of answers whose form is valid (`metrics_formats.md` 3.4, 2), over the steps that call a tool with an `outputSchema`;
 * an unparsable answer is not valid.
 */
export const schemaOk = binary((score, { context, action, answer }) => {
  const tool = toolOf(context.world.tools, action);
  if (!tool?.outputSchema) return NOT_COUNTED;
  return { sum: Number(score.parseOk === 1 && answerSchemaErrors(tool, answer.transition).length === 0), n: 1 };
});
