/** A small world for tests of the page that are about the page alone. */
import type { World } from '../world/types';

export function exampleWorld(): World {
  return {
    id: 'example',
    title: 'Example',
    twin: null,
    state: {
      orders: { W17: { status: 'pending', total: 40 }, W20: { status: 'sent', total: 5 } },
      users: { ada: { name: 'Ada' } },
    },
    task: {
      instruction: 'Cancel order W17.',
      checks: [{ path: '/orders/W17/status', op: '==', value: 'cancelled' }],
    },
    tools: [
      {
        name: 'cancel_order',
        description: 'Cancels an order.',
        inputSchema: {
          type: 'object',
          properties: {
            id: { type: 'string', 'x-from': 'orders' },
            reason: { type: 'string', enum: ['damaged', 'late'] },
            days: { type: 'integer', minimum: 1, maximum: 30 },
            notify: { type: 'boolean' },
            extra: { type: 'object' },
          },
          required: ['id', 'reason'],
          additionalProperties: false,
        },
      },
      { name: 'list_users', description: 'Lists users.', inputSchema: { type: 'object', properties: {} } },
    ],
    rules: [{ id: 'window', text: 'Sentence for {"days":30}.', enabled: true, params: { days: 30 } }],
  };
}
