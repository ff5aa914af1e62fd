import { invocationLogDatabase } from '../invocation-log/sqlite/local-invocation-log.ts'
import { sqliteTransfer } from '../storage/transfer/sqlite-transfer.ts'
import { engineTransfer, type TransferableStore } from '../storage/transfer/transferable-store.ts'
import { accessKeyVariable, accessStorage } from './access-storage.ts'
import { layOutAccessLog } from './sqlite/access-log-table.ts'
import { keyTable } from './sqlite/key-table.ts'
import { accessDatabase } from './sqlite/local-access-store.ts'

/** The store of access keys, for copies to another storage engine. */
export const accessRecords: TransferableStore = {
  name: accessStorage.name,
  kinds: [
    { name: 'access keys', key: ['id'], fields: ['identity', 'sealed', 'created', 'expires', 'revoked'] },
  ],
  secret: { variable: accessKeyVariable, folder: accessDatabase },
  inFiles: async directory =>
    sqliteTransfer(directory.open(accessDatabase), keyTable, { 'access keys': 'keys' }),
  inEngine: engine => engineTransfer(engine, accessStorage.name),
}

/** The access log, for copies to another storage engine. Its entries keep their ids. */
export const accessLogRecords: TransferableStore = {
  name: accessStorage.name,
  kinds: [
    {
      name: 'access log',
      key: ['last', 'id'],
      fields: [...['first', 'count', 'identity', 'source', 'operation', 'resource', 'result', 'address']],
      atOnce: 2000,
    },
  ],
  async inFiles(directory) {
    const tables = { 'access log': 'access_log' }
    const transfer = sqliteTransfer(directory.open(invocationLogDatabase), layOutAccessLog, tables)
    return {
      ...transfer,
      // Each copied entry gets a minute of its own, which is negative so that no later request is added to its count.
      write: (kind, records) =>
        transfer.write(
          { ...kind, fields: [...kind.fields, 'minute'] },
          records.map(record => ({ ...record, minute: -Number(record.id) })),
        ),
    }
  },
  inEngine: engine => engineTransfer(engine, accessStorage.name),
}
