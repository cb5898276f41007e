/** Accounts and their tokens: who is logged in, as every app asks first. */
import { emptyObject, get, isObject, type JsonObject } from '../../world/json';
import type { State } from '../../world/types';
import { errorAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import { freshId } from '../kit/ids';
import { shape } from '../kit/schema';
import { record, type ArgSpec, type Call, type RuleDef, type ToolDef } from '../kit/types';
import { text } from '../kit/read';

/** What an app adds to a world. */
export interface App {
  tools: readonly ToolDef[];
  rules: readonly RuleDef[];
}

export const TOKEN: ArgSpec = { type: 'string', from: 'tokens', maxLength: 16 };
export const USER: ArgSpec = { type: 'string', from: 'accounts', maxLength: 16 };

/** The tokens that are valid, with the account each belongs to: `{"t31":"ana"}`. */
export function tokensOf(state: State): JsonObject {
  const tokens = get(state, 'tokens');
  return isObject(tokens) ? tokens : emptyObject();
}

/** What a tool answers to the one who is logged in with the call's token; without one it is refused. */
export function signed(then: (call: Call, user: string, account: JsonObject) => Answer): ToolDef['apply'] {
  return (call) => {
    const user = text(get(tokensOf(call.state), text(call.args.token)));
    const account = record(call.state, 'accounts', user);
    return account ? then(call, user, account) : errorAnswer('denied', 'invalid token');
  };
}

export const ACCOUNTS: App = {
  rules: [
    {
      id: 'blocked',
      code: 'blocked',
      text: ({ user }) => `${String(user)} cannot log in`,
      violated: ({ user }, facts) => facts.user === user,
    },
  ],
  tools: [
    {
      name: 'login',
      description: 'New token; the old one ends',
      input: { user: USER, password: { type: 'string', maxLength: 16 } },
      output: shape('user@accounts token'),
      readOnly: false,
      apply: (call) => {
        const { state, args } = call;
        const account = record(state, 'accounts', args.user);
        if (!account) return notFound(args.user);
        if (account.password !== args.password) return errorAnswer('denied', 'wrong password');
        const user = String(args.user);
        const refused = call.forbidden({ user }, 'blocked');
        if (refused) return refused;
        const token = text(get(state, 'next_token'));
        const ended = Object.keys(tokensOf(state)).filter((old) => text(get(tokensOf(state), old)) === user);
        const tokens = { ...Object.fromEntries(ended.map((old) => [old, null])), [token]: user };
        return recordAnswer({ user, token }, { tokens, next_token: freshId(token) });
      },
    },
  ],
};
