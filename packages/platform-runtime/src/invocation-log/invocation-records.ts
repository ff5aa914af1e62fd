import type { RecordKind } from '../storage/transfer/transfer.ts'
import { engineTransfer, type TransferableStore } from '../storage/transfer/transferable-store.ts'
import { invocationLogStorage } from './invocation-log.ts'
import { invocationTransfer } from './invocation-transfer.ts'

const kind: RecordKind = {
  name: 'invocations',
  key: ['id'],
  fields: [
    ...['request_id', 'function', 'source', 'family', 'attempt', 'generation', 'started', 'duration'],
    ...['event', 'payload', 'failure', 'verdict', 'logs', 'masked', 'trace'],
  ],
}

/** The invocation log, for copies to another storage engine. Its entries keep their ids. */
export const invocationRecords: TransferableStore = {
  name: invocationLogStorage.name,
  kinds: [kind],
  async inFiles(directory, notice) {
    const { localInvocationEntries } = await import('./sqlite/local-invocation-entries.ts')
    return invocationTransfer(localInvocationEntries(directory, notice))
  },
  inEngine: engine => engineTransfer(engine, invocationLogStorage.name),
}
