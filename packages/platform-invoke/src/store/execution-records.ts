import {
  engineTransfer,
  type RecordKind,
  sqliteTransfer,
  type TransferableStore,
} from '@signalbox/platform-runtime/storage'
import { workRecords } from '@signalbox/platform-runtime/work'
import { executionStorage } from './execution-store.ts'

const kinds: readonly RecordKind[] = [
  {
    name: 'executions',
    key: ['number'],
    fields: ['id', 'function', 'name', 'status', 'started_at', 'ended_at', 'data'],
    atOnce: 8,
  },
  {
    name: 'operations',
    key: ['execution', 'id'],
    fields: ['number', 'parent', 'changed', 'due_at', 'hidden', 'data'],
    atOnce: 20,
  },
  { name: 'history', key: ['execution', 'number'], fields: ['data'], atOnce: 20 },
  workRecords('execution work'),
]

/** Describes the store of executions, so that it can be copied to another storage engine. */
export const executionRecords: TransferableStore = {
  name: executionStorage.name,
  kinds,
  async inFiles(directory) {
    const { layOut } = await import('./sqlite/layout.ts')
    return sqliteTransfer(directory.open('executions'), layOut, { 'execution work': 'work' })
  },
  inEngine: engine => engineTransfer(engine, executionStorage.name),
}
