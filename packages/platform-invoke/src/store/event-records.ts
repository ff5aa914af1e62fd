import { engineTransfer, sqliteTransfer, type TransferableStore } from '@signalbox/platform-runtime/storage'
import { workRecords } from '@signalbox/platform-runtime/work'
import { eventStorage } from './event-store.ts'

/** Describes the store of asynchronous events, so that it can be copied to another storage engine. */
export const eventRecords: TransferableStore = {
  name: eventStorage.name,
  kinds: [workRecords('events')],
  async inFiles(directory) {
    const { layOut } = await import('./local-events.ts')
    return sqliteTransfer(directory.open('invoke'), layOut, { events: 'work' })
  },
  inEngine: engine => engineTransfer(engine, eventStorage.name),
}
