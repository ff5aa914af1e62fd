import type { RecordTable } from './postgres-transfer.ts'

/** The tables whose records can be copied, by the name of the storage port and the kind of record. */
export const recordTables: { readonly [port: string]: { readonly [kind: string]: RecordTable } } = {
  queues: {
    queues: { numbered: 'id' },
    messages: { numbered: 'id' },
    groups: { sequence: ['turns', 'turn'] },
    deduplications: {},
    // No platform has a lease on a copied task, so that any platform can continue it.
    moves: { numbered: 'id', others: { holder: '', leased_until: 0 } },
  },
  events: { events: { table: 'event_work', numbered: 'number' } },
  executions: {
    executions: { numbered: 'number' },
    operations: { table: 'execution_operations', booleans: ['hidden'] },
    history: { table: 'execution_history' },
    'execution work': { table: 'execution_work', numbered: 'number' },
  },
  mail: {
    mails: { booleans: ['spam', 'report', 'utf8'] },
    recipients: { numbered: 'id' },
    'queued work': { table: 'mail_work', numbered: 'number' },
    held: {},
    'early decisions': { table: 'early_decisions' },
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
  access: {
    'access keys': { table: 'access_keys' },
    // A copied entry has a unique key, so that no more requests are added to it.
    'access log': { table: 'access_log', numbered: 'id', others: { key: ({ id }) => String(id) } },
  },
}
