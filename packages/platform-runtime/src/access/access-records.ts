import { sqliteTransfer } from '../storage/transfer/sqlite-transfer.ts'
import { engineTransfer, type TransferableStore } from '../storage/transfer/transferable-store.ts'
import { accessStorage } from './access-storage.ts'
import { accessKeyVariable } from './open-access.ts'
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
