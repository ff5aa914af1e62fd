import {
  engineTransfer,
  type RecordKind,
  sqliteTransfer,
  type TransferableStore,
} from '@signalbox/platform-runtime/storage'
import { workRecords } from '@signalbox/platform-runtime/work'
import { mailStorage } from './mail-storage.ts'
import { mailboxKinds, mailboxTransfer } from './mailboxes/mailbox-transfer.ts'

const kinds: readonly RecordKind[] = [
  {
    name: 'mails',
    key: ['received_at', 'id'],
    fields: ['sender', 'author', 'subject', 'spam', 'report', 'utf8', 'facts', 'size', 'raw'],
    atOnce: 8,
  },
  {
    name: 'recipients',
    key: ['id'],
    fields: ['mail', 'address', 'direction', 'state', 'destination', 'why', 'attempts', 'invocation'],
  },
  workRecords('queued work'),
  { name: 'held', key: ['mail'], fields: [] },
  {
    name: 'early decisions',
    key: ['key'],
    fields: ['content', 'failures', 'first_failed_at', 'decision', 'stored_as', 'used_at', 'raw'],
    atOnce: 8,
  },
]

/** Accepted mails with their pending work and their dispositions. */
export const mailRecords: TransferableStore = {
  name: mailStorage.name,
  kinds,
  async inFiles(directory) {
    const { prepareDatabase } = await import('./store/sqlite/layout.ts')
    return sqliteTransfer(directory.open('mail'), prepareDatabase, {
      'queued work': 'work',
      'early decisions': 'early_decisions',
    })
  },
  inEngine: engine => engineTransfer(engine, mailStorage.name),
}

/** The mails in mailboxes, without the flags that mail readers have set in Maildirs. */
export const mailboxRecords: TransferableStore = {
  name: 'mailboxes',
  kinds: mailboxKinds,
  async inFiles(directory) {
    const { maildirs } = await import('./mailboxes/maildirs.ts')
    return mailboxTransfer(maildirs(directory.folder('mailboxes')), async () => {})
  },
  async inEngine(engine) {
    const { store, mailboxes } = await engine.opener(mailStorage)()
    return mailboxTransfer(mailboxes, store.close)
  },
}
