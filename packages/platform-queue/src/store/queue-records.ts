import {
  engineTransfer,
  type RecordKind,
  sqliteTransfer,
  type TransferableStore,
} from '@signalbox/platform-runtime/storage'
import { queueStorage } from './own-queue-store.ts'

const kinds: readonly RecordKind[] = [
  {
    name: 'queues',
    key: ['id'],
    fields: ['name', 'attributes', 'tags', 'created_at', 'modified_at', 'purged_at'],
  },
  {
    name: 'messages',
    key: ['id'],
    fields: [
      ...[
        'queue',
        'visible_at',
        'turn_at',
        'nth',
        'sent_at',
        'receives',
        'received_before',
        'first_received_at',
        'received_at',
      ],
      ...['receipt', 'fifo_group', 'group_id', 'deduplication_id', 'message_id', 'sender', 'trace_header'],
      ...['dead_letter_source', 'attributes', 'body'],
    ],
    atOnce: 100,
  },
  { name: 'groups', key: ['queue', 'fifo_group'], fields: ['ready_at', 'turn'] },
  { name: 'deduplications', key: ['queue', 'token'], fields: ['expires_at', 'message', 'message_id'] },
  {
    name: 'moves',
    key: ['id'],
    fields: [
      ...['task', 'source', 'destination', 'per_second', 'last_message', 'started_at', 'to_move', 'moved'],
      ...['status', 'failure'],
    ],
  },
]

/**
 * Queues with their messages. Attempt ids, with which clients can repeat a receive request for five minutes, are not
 * copied.
 */
export const queueRecords: TransferableStore = {
  name: queueStorage.name,
  kinds,
  async inFiles(directory) {
    const { prepareDatabase } = await import('./sqlite/layout.ts')
    return sqliteTransfer(directory.open('queues'), prepareDatabase)
  },
  inEngine: engine => engineTransfer(engine, queueStorage.name),
}
