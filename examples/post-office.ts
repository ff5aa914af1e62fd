import { setTimeout as delay } from 'node:timers/promises'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import type { InvocationLogEntry, Platform } from '@signalbox/platform'
import { createTransport } from 'nodemailer'
import PostalMime, { type Email } from 'postal-mime'

/** What the function returned for a mail, and what happened to the mail. */
export interface Posted {
  /** The payload that the function returned. */
  readonly payload: string
  /** Describes what happened for each recipient, in the words that the mailroom scenes use. */
  readonly happened: string
}

/** The maximum time in milliseconds until all mails are delivered. */
const waitLimit = 20_000

/**
 * Sends mails to a platform with an ordinary SMTP client, and reads the mailboxes of the platform.
 * @param invoked resolves with the log entry of the next function call for a mail
 */
export function postOffice(url: string, platform: Platform, invoked: () => Promise<InvocationLogEntry>) {
  const { hostname, port } = new URL(url)
  const smtp = createTransport({ host: hostname, port: Number(port), ignoreTLS: true })

  const delivered = async () => {
    for (const end = Date.now() + waitLimit; Date.now() < end; await delay(5)) {
      const states = (await platform.mail.states()).flatMap(({ recipients }) => recipients)
      if (states.every(({ state }) => state !== 'undecided' && state !== 'delivering')) return
    }
    throw new Error(`Mail is not where it should be after ${waitLimit} ms.`)
  }

  const inboxOf = async (address: string) => {
    const delivered = await platform.mail.inbox(address)
    const parse = async (mail: (typeof delivered)[number]) => PostalMime.parse(await platform.mail.read(mail))
    return Promise.all(delivered.map(async mail => ({ id: mail.id, email: await parse(mail) })))
  }

  return {
    async send({ envelope, sender, subject }: MailEvent): Promise<Posted> {
      const [from, to] = [envelope.mailFrom.address, envelope.recipients.map(({ address }) => address)]
      const invocation = invoked()
      const text = 'See you soon.'
      const mail = { envelope: { from, to }, from: sender.address, subject, text }
      const { response, messageId } = await smtp.sendMail(mail)
      const id = /Stored as (\S+)/.exec(response)?.[1]
      const { payload } = await invocation
      await delivered()
      const reports = from === '' ? [] : await inboxOf(from)
      const happened = to.map(async address => {
        if ((await inboxOf(address)).some(each => each.id === id)) return `${address} gets it`
        const report = reports.find(({ email }) => email.inReplyTo === messageId)
        const reason = report && wordsFor(address, report.email)
        return reason === undefined ? `${address}: dropped` : `${address}: back to the sender (${reason})`
      })
      return { payload, happened: (await Promise.all(happened)).join('; ') }
    },
    /** Waits until all mail is delivered, and returns the mails in a mailbox, latest first. */
    async inbox(address: string): Promise<readonly Email[]> {
      await delivered()
      return (await inboxOf(address)).map(({ email }) => email)
    },
    close: () => smtp.close(),
  }
}

/** Returns the text about one recipient in a delivery report, or undefined if the report has none. */
function wordsFor(address: string, { text = '' }: Email): string | undefined {
  const paragraphs = text.split(/\n\n+/).map(each => each.trim())
  const about = paragraphs.findIndex(each => each.toLowerCase() === address.toLowerCase())
  return about < 0 ? undefined : paragraphs[about + 1]
}
