import type { Clock } from '@signalbox/core'
import type { ParsedAddress, ParsedMail } from '@signalbox/mail-flow'
import { RefusedError } from '@signalbox/platform-runtime/console'
import type { OpenMail } from '../open-mail.ts'
import type { ConsoleMail } from './mail-port.ts'

/** Returns the console's access to the mail of a running platform. The mail parser is loaded on first use. */
export function consoleMail(opened: () => Promise<OpenMail>, clock: Clock): ConsoleMail {
  return {
    // Visitors compare these times with their own clocks, and the console with those of invocations.
    list: async () =>
      (await (await opened()).states()).map(({ receivedAt, recipients, ...mail }) => ({
        ...mail,
        receivedAt: clock.wall(receivedAt),
        recipients: recipients.map(({ nextAt, ...recipient }) => ({
          ...recipient,
          nextAt: nextAt === undefined ? undefined : clock.wall(nextAt),
        })),
      })),
    raw: async id => (await opened()).fetch(id),

    async mailboxes(address) {
      const { deliveredMails } = await import('../commands/delivered-mails.ts')
      const mails = await deliveredMails((await opened()).mailboxes, address)
      return mails.map(({ number: _, path: __, ...mail }) => mail).toReversed()
    },

    async delivered(address, id) {
      const { inbox, read } = await opened()
      const found = (await inbox(address)).find(mail => mail.id === id)
      return found && read(found)
    },

    async parse(raw) {
      const parsed = await parsedMail(raw)
      if (parsed === undefined)
        return {
          ...{ headers: [], from: '', to: '', cc: '', subject: '', date: '', html: undefined },
          ...{ text: raw.toString(), attachments: [] },
        }
      const { headers, from, to = [], cc = [], subject = '', date = '', text, html, attachments } = parsed
      const { addressText } = await import('../commands/delivered-mails.ts')
      const addresses = (list: readonly ParsedAddress[]) => list.map(addressText).join(', ')
      return {
        headers: headers.map(({ key, value }) => [key, value] as const),
        from: from === undefined ? '' : addressText(from),
        to: addresses(to),
        cc: addresses(cc),
        ...{ subject, date, text, html },
        attachments: attachments.map(({ filename, mimeType, content }) => ({
          filename: filename ?? undefined,
          mimeType,
          size: bytesOf(content).byteLength,
        })),
      }
    },

    async attachment(raw, index) {
      const content = (await parsedMail(raw))?.attachments[index]?.content
      return content === undefined ? undefined : bytesOf(content)
    },

    async send({ from, to, subject, text, html }) {
      const { isAddress } = await import('@signalbox/mail-flow/contract')
      for (const address of [...to, ...(from === '' ? [] : [from])])
        if (!isAddress(address))
          throw new RefusedError(`${JSON.stringify(address)} is not an address, such as ann@office.example.`)
      if (to.length === 0) throw new RefusedError('The mail has no recipient.')
      const { url } = await opened()
      const { offerMail } = await import('../commands/offer-mail.ts')
      const content = { from, to: [...to], subject, text, ...(html !== undefined && { html }) }
      return offerMail(url, { from, to: [...to] }, content)
    },

    async change(id, action) {
      const { queued } = await opened()
      const changes = {
        flush: () => queued.flush([id], clock.now()),
        hold: () => queued.hold([id]),
        release: () => queued.release([id]),
        delete: () => queued.remove([id]),
      }
      try {
        await changes[action]()
      } catch (error) {
        throw new RefusedError((error as Error).message, { cause: error })
      }
    },
  }
}

/** Parses a mail. Returns undefined if that is impossible. */
async function parsedMail(raw: Buffer): Promise<ParsedMail | undefined> {
  const { parseMail } = await import('@signalbox/mail-flow')
  return parseMail(raw).catch(() => undefined)
}

function bytesOf(content: ArrayBuffer | Uint8Array | string): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}
