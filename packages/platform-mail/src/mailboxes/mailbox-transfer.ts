import type { RecordKind, Transfer, TransferRecord } from '@signalbox/platform-runtime/storage'
import type { DeliveredMail, Mailboxes } from './mailboxes.ts'

export const mailboxKinds: readonly RecordKind[] = [
  {
    name: 'mails in mailboxes',
    key: ['address', 'id'],
    fields: ['folder', 'delivered_at', 'content'],
    atOnce: 8,
  },
]

const before = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Reads and writes all mails in the mailboxes of any storage engine, to copy them to another engine. */
export function mailboxTransfer(mailboxes: Mailboxes, close: () => Promise<void>): Transfer {
  let listed: readonly DeliveredMail[] | undefined
  const all = async () => {
    listed ??= [...(await mailboxes.list())].sort(
      (one, other) => before(one.address, other.address) || before(one.id, other.id),
    )
    return listed
  }
  return {
    async read(_kind, after, limit) {
      const mails = await all()
      const [address, id] = (after ?? []) as readonly string[]
      const first =
        address === undefined
          ? 0
          : mails.findIndex(
              mail => before(mail.address, address) > 0 || (mail.address === address && mail.id > id!),
            )
      const chosen = first < 0 ? [] : mails.slice(first, first + limit)
      return Promise.all(
        chosen.map(
          async (mail): Promise<TransferRecord> => ({
            address: mail.address,
            id: mail.id,
            folder: mail.folder,
            delivered_at: mail.deliveredAt,
            content: await mailboxes.read(mail),
          }),
        ),
      )
    },
    async write(_kind, records) {
      for (const { address, id, folder, delivered_at, content } of records)
        await mailboxes.restore(
          {
            address: String(address),
            id: String(id),
            folder: folder as DeliveredMail['folder'],
            deliveredAt: Number(delivered_at),
          },
          Buffer.from(content as Uint8Array),
        )
      listed = undefined
    },
    finish: async () => {},
    close,
  }
}
