import type { InvocationLogEntry } from '@signalbox/platform-runtime/console'
import type { ConsoleMail } from './mail-port.ts'

/** What a visitor who may not act sees instead of a mail with secrets, and of its subject in an event. */
const hidden = 'This message of a user pool is hidden, because seeing it needs the right to act.'
const hiddenSubject = 'hidden, because seeing it needs the right to act'

/**
 * Returns the mail for a visitor who may only read. The mails of these senders are hidden, wherever they are.
 * @param sendersOf returns the senders of mails with secrets
 */
export function readableMail(mail: ConsoleMail, sendersOf: () => readonly string[]): ConsoleMail {
  const readable = (raw: Buffer | undefined) =>
    raw !== undefined && isFrom(raw, sendersOf()) ? Buffer.from(hiddenMail) : raw
  return {
    ...mail,
    async list() {
      const senders = sendersOf()
      return (await mail.list()).map(each =>
        senders.includes(each.from.toLowerCase()) ? { ...each, subject: '' } : each,
      )
    },
    async mailboxes(address) {
      const senders = sendersOf()
      return (await mail.mailboxes(address)).map(each =>
        senders.some(sender => each.sender.toLowerCase().includes(sender)) ? { ...each, subject: '' } : each,
      )
    },
    raw: async id => readable(await mail.raw(id)),
    delivered: async (address, id) => readable(await mail.delivered(address, id)),
  }
}

const hiddenMail = `Content-Type: text/plain; charset=utf-8\r\n\r\n${hidden}\r\n`

/**
 * Returns whether a mail, or a mail inside it, such as in a report about a mail that was not delivered, has one of these
 * senders.
 */
function isFrom(raw: Buffer, senders: readonly string[]): boolean {
  const lines = raw
    .toString('latin1')
    .toLowerCase()
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .matchAll(/^from[ \t]*:(.*)/gm)
  for (const [, value = ''] of lines) if (senders.some(sender => value.includes(sender))) return true
  return false
}

/**
 * Returns an invocation as a visitor who may only read sees it. The subject of a mail with secrets is hidden, because it
 * can have a code. Functions that decide on mail get it in their event.
 */
export function readableInvocation(
  entry: InvocationLogEntry,
  sendersOf: () => readonly string[],
): InvocationLogEntry {
  if (entry.family !== 'mail-flow') return entry
  let event: { readonly sender?: Sender; readonly envelope?: { readonly mailFrom?: Sender } }
  try {
    event = JSON.parse(entry.event)
  } catch {
    // Under overload, the log has a sentence instead of the event.
    return entry
  }
  const senders = sendersOf()
  const isSecret = [event?.sender, event?.envelope?.mailFrom].some(
    each => typeof each?.address === 'string' && senders.includes(each.address.toLowerCase()),
  )
  return isSecret ? { ...entry, event: JSON.stringify({ ...event, subject: hiddenSubject }) } : entry
}

interface Sender {
  readonly address?: unknown
}
