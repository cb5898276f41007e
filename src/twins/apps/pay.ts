/**
 * Payments: money goes from one balance to another and never gets more or less. Two apps share it: one sends money to
 * users, the other pays what users have asked for.
 */
import { emptyObject, type JsonObject } from '../../world/json';
import { errorAnswer, listAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import { listOf, shape } from '../kit/schema';
import { record, records, type Call, type RuleDef, type ToolDef } from '../kit/types';
import { num, text } from '../kit/read';
import { signed, TOKEN, USER, type App } from './accounts';
import { LIST_CONTACTS } from './contacts';

const LIMITS: readonly RuleDef[] = [
  {
    id: 'max_pay',
    code: 'too_high',
    text: ({ max }) => `a payment is at most ${String(max)}`,
    violated: ({ max }, facts) => Number(facts.amount) > Number(max),
  },
  {
    id: 'keep_balance',
    code: 'too_low',
    text: ({ min }) => `no payment leaves a balance below ${String(min)}`,
    violated: ({ min }, facts) => Number(facts.left) < Number(min),
  },
];

const BALANCE: ToolDef = {
  name: 'balance',
  description: 'Yours',
  input: { token: TOKEN },
  output: shape('user@accounts balance:num'),
  readOnly: true,
  apply: signed((_, user, account) => recordAnswer({ user, balance: num(account.balance) })),
};

export const PAY: App = {
  rules: [
    ...LIMITS,
    {
      id: 'contacts_only',
      code: 'not_allowed',
      text: ({ n }) => `over ${String(n)} is paid to contacts only`,
      violated: ({ n }, facts) => Number(facts.amount) > Number(n) && facts.contact === false,
    },
  ],
  tools: [
    LIST_CONTACTS,
    BALANCE,
    {
      name: 'pay',
      description: 'From your balance to a user',
      input: { token: TOKEN, user: USER, amount: { type: 'integer', min: 1, max: 999 } },
      output: shape('user@accounts amount:num balance:num'),
      readOnly: false,
      apply: signed((call, payer, account) => {
        const user = String(call.args.user);
        if (!record(call.state, 'accounts', user)) return notFound(call.args.user);
        return transfer(call, payer, account, user, num(call.args.amount));
      }),
    },
  ],
};

export const BILLS: App = {
  rules: LIMITS,
  tools: [
    BALANCE,
    {
      name: 'requests',
      description: 'What others ask of you',
      input: { token: TOKEN },
      output: listOf('id@requests asker amount:num'),
      readOnly: true,
      apply: signed(({ state }, user) =>
        listAnswer(
          Object.entries(records(state, 'requests'))
            .filter(([, request]) => request.payer === user)
            .map(([id, request]) => ({ id, asker: text(request.asker), amount: num(request.amount) })),
        ),
      ),
    },
    {
      name: 'accept',
      description: 'Pays a request',
      input: { token: TOKEN, id: { type: 'string', from: 'requests' } },
      output: shape('user@accounts amount:num balance:num'),
      readOnly: false,
      apply: signed((call, payer, account) => {
        const request = record(call.state, 'requests', call.args.id);
        if (request?.payer !== payer) return notFound(call.args.id);
        const asker = text(request.asker);
        if (!record(call.state, 'accounts', asker)) return notFound(asker);
        const gone = { requests: { [String(call.args.id)]: null } };
        return transfer(call, payer, account, asker, num(request.amount), gone);
      }),
    },
  ],
};

function transfer(
  call: Call,
  payer: string,
  account: JsonObject,
  user: string,
  amount: number,
  delta: JsonObject = emptyObject(),
): Answer {
  if (user === payer) return errorAnswer('conflict', 'that is you');
  const own = record(call.state, 'contacts', payer) ?? emptyObject();
  const balance = num(account.balance) - amount;
  const facts = { amount, contact: Object.hasOwn(own, user), left: balance };
  const refused = call.forbidden(facts, 'max_pay', 'contacts_only');
  if (refused) return refused;
  if (balance < 0) return errorAnswer('too_low', `balance is ${num(account.balance)}`);
  const theirs = num(record(call.state, 'accounts', user)?.balance) + amount;
  return (
    call.forbidden(facts, 'keep_balance') ??
    recordAnswer(
      { user, amount, balance },
      { accounts: { [payer]: { balance }, [user]: { balance: theirs } }, ...delta },
    )
  );
}
