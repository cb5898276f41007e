/**
 * The prompt in the published form (arXiv 2607.16204): one system message with the five parts of the world under their
 * headers, and a user message with the history and the action. The shipped pair reads the compact codec; this form is
 * what other world models of that work would be given.
 */
import { DIRECTIVE_KINDS, formatDirective } from '../world/directives';
import { stringify, type Json } from '../world/json';
import { callText } from '../world/codec/text';
import type { Action, Context, Directive, Turn } from '../world/types';

export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

const TARGET = 'Write what the tool answers to the action, as JSON or plain text and nothing else.';

/** The system and the user message for an action. Rules that are switched off are not written. */
export function publishedMessages(context: Context, action: Action, directives: readonly Directive[]): Message[] {
  const { world, history } = context;
  const rules = world.rules.filter((rule) => rule.enabled).map((rule) => `- ${rule.text}`);
  const sections: [string, string][] = [
    ['ENVIRONMENT STATE', pretty(world.state)],
    ['TASK CONTEXT', world.task.instruction],
    ['TOOL SCHEMAS', pretty(world.tools as unknown as Json)],
    ['DOMAIN RULES', rules.join('\n') || 'None.'],
    ['STEERING DIRECTIVES', directives.map((directive) => `- ${steering(directive)}`).join('\n') || 'None.'],
  ];
  const system = sections.map(([title, text]) => `## ${title}\n${text}`).join('\n\n');
  const user = `State: ${stringify(history.flatMap(turnMessages))}\n\nAction: ${actionText(action)}`;
  return [
    { role: 'system', content: `${system}\n\nPREDICTION TARGET: ${TARGET}` },
    { role: 'user', content: user },
  ];
}

/** The messages as one text to read or to copy, each under its role. */
export function publishedText(messages: readonly Message[]): string {
  return messages.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n');
}

/** A directive as a sentence, with its compact spelling, which other formats keep. */
function steering(directive: Directive): string {
  const name = formatDirective(directive);
  switch (directive.kind) {
    case 'fail':
      return `${name}: the call fails with the error code ${directive.code}.`;
    case 'partial':
      return `${name}: only the first ${directive.n} items are shown.`;
    default:
      return `${name}: ${DIRECTIVE_KINDS[directive.kind]}.`;
  }
}

/** A turn in the shape of OpenAI chat messages: arguments are a JSON string there. */
function turnMessages(turn: Turn, index: number): Json[] {
  const id = `call_${index + 1}`;
  return [
    { role: 'assistant', content: '', tool_calls: [toolCall(turn.action, id)] },
    { role: 'tool', tool_call_id: id, content: turn.text.observation },
  ];
}

function toolCall(action: Action, id: string): Json {
  const call = 'raw' in action ? { name: '', arguments: action.raw } : named(action.tool, action.args);
  return { id, type: 'function', function: call };
}

function named(name: string, args: Json): { name: string; arguments: string } {
  return { name, arguments: stringify(args) };
}

function actionText(action: Action): string {
  return 'raw' in action ? callText(action) : stringify({ name: action.tool, arguments: action.args });
}

function pretty(value: Json): string {
  return JSON.stringify(value, null, 2);
}
