import type { RecordTable } from './postgres-transfer.ts'

/** The tables of all ports whose records can be copied, by the names of ports and kinds. */
export const recordTables: { readonly [port: string]: { readonly [kind: string]: RecordTable } } = {
  queues: {
    queues: { numbered: 'id' },
    messages: { numbered: 'id' },
    groups: { sequence: ['turns', 'turn'] },
    deduplications: {},
    // Any platform continues a task.
    moves: { numbered: 'id', others: { holder: '', leased_until: 0 } },
  },
  events: { events: { numbered: 'number', booleans: ['is_taken'] } },
  mail: {
    mails: { booleans: ['spam', 'report'] },
    invocations: {},
    recipients: { numbered: 'id' },
    // A copy does not know whether an attempt was broken off. Mailboxes recognize a mail that they have.
    deliveries: { others: { attempted: true } },
    held: {},
  },
  'user pools': {
    users: { table: 'pool_users', booleans: ['enabled'] },
    names: { table: 'pool_names', columns: { user: 'owner' } },
    credentials: { table: 'pool_credentials', columns: { user: 'owner' } },
    counts: { table: 'pool_counts' },
    groups: { table: 'pool_groups' },
    members: { table: 'pool_members', columns: { user: 'member' } },
    messages: { table: 'pool_messages', columns: { user: 'owner' }, numbered: 'number' },
    keys: { table: 'pool_keys' },
    pools: { table: 'created_pools' },
  },
  access: { 'access keys': { table: 'access_keys' } },
}
