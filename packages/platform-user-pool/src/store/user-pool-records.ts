import {
  engineTransfer,
  type RecordKind,
  sqliteTransfer,
  type TransferableStore,
} from '@signalbox/platform-runtime/storage'
import { userPoolKeyVariable } from '../user-pool-key-variable.ts'
import { userPoolStorage } from './user-pool-storage.ts'

const kinds: readonly RecordKind[] = [
  { name: 'pools', key: ['id'], fields: ['description', 'revision'] },
  {
    name: 'users',
    key: ['pool', 'id'],
    fields: [
      ...[
        'name',
        'status',
        'enabled',
        'attributes',
        'password',
        'password_expires',
        'factors',
        'sign_in_names',
      ],
      ...['created', 'modified', 'revision'],
    ],
  },
  { name: 'names', key: ['pool', 'name'], fields: ['user'] },
  { name: 'credentials', key: ['pool', 'kind', 'id'], fields: ['user', 'expires', 'value'] },
  { name: 'counts', key: ['pool', 'key'], fields: ['count', 'since', 'ends'] },
  {
    name: 'groups',
    key: ['pool', 'name'],
    fields: ['description', 'precedence', 'role', 'created', 'modified'],
  },
  { name: 'members', key: ['pool', 'user', 'name'], fields: [] },
  {
    name: 'messages',
    key: ['number'],
    fields: [
      ...['pool', 'id', 'user', 'occasion', 'medium', 'recipient', 'state', 'contents', 'ends', 'created'],
    ],
  },
  { name: 'keys', key: ['pool', 'id'], fields: ['use', 'state', 'key', 'created', 'expires'] },
]

/**
 * The user-pool records that can be copied to another store. Secrets stay encrypted, so both platforms need the same
 * key.
 */
export const userPoolRecords: TransferableStore = {
  name: userPoolStorage.name,
  kinds,
  secret: { variable: userPoolKeyVariable, folder: 'user-pools' },
  async inFiles(directory) {
    const { prepareDatabase } = await import('./sqlite/layout.ts')
    return sqliteTransfer(directory.open('user-pools'), prepareDatabase)
  },
  inEngine: engine => engineTransfer(engine, userPoolStorage.name),
}
