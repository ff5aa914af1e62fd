import { engineTransfer, sqliteTransfer, type TransferableStore } from '@signalbox/platform-runtime/storage'
import { eventStorage } from './event-store.ts'

/** Describes the store of asynchronous events, so that it can be copied to another storage engine. */
export const eventRecords: TransferableStore = {
  name: eventStorage.name,
  kinds: [
    {
      name: 'events',
      key: ['number'],
      fields: [
        ...['id', 'function', 'payload', 'client_context', 'accepted_at', 'due_at', 'attempts', 'refusals'],
        ...['failure', 'lease', 'is_taken'],
      ],
      atOnce: 20,
    },
  ],
  async inFiles(directory) {
    const { layOut } = await import('./sqlite/local-event-store.ts')
    return sqliteTransfer(directory.open('invoke'), layOut)
  },
  inEngine: engine => engineTransfer(engine, eventStorage.name),
}
