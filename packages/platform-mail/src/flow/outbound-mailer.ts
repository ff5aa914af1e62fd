import type { OutboundMail, OutboundMailer } from '@signalbox/platform-runtime'
import { activeCause, inAcceptSpan, type Traces } from '@signalbox/platform-runtime/traces'
import addressparser from 'nodemailer/lib/addressparser'
import MailComposer from 'nodemailer/lib/mail-composer'
import { acceptedMailSpan } from '../api/data/accepted-mail-span.ts'
import type { Accept } from '../api/data/take-mail.ts'
import type { IncomingMail } from '../api/incoming-mail.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import { ownAddress } from '../own-address.ts'
import { directionOf, isRecipient } from '../routing.ts'

/** Accepts mails from other sources of the platform, as the listener accepts mails from clients. */
export function outboundMailer(
  settings: Pick<MailSettings, 'name' | 'domains' | 'relay'>,
  accept: Accept,
  { now, traces }: { readonly now: () => number; readonly traces: Traces | undefined },
): OutboundMailer {
  return {
    ownAddress: ownAddress(settings),
    async submit(mail) {
      if (!isDeliverable(mail.to, settings)) return false
      const incoming = await composed(mail, settings.name, now())
      await inAcceptSpan(traces, acceptedMailSpan(mail.id, activeCause()), () => accept(incoming))
      return true
    },
  }
}

/** Returns whether an address has a mailbox or can be reached by the relay. */
function isDeliverable(address: string, settings: Pick<MailSettings, 'domains' | 'relay'>): boolean {
  return directionOf(address, settings) === 'INBOUND'
    ? isRecipient(address, settings)
    : settings.relay !== undefined
}

async function composed(
  { id, from, to, subject, text, isHtml }: OutboundMail,
  server: string,
  now: number,
): Promise<IncomingMail> {
  const author = from ?? ownAddress({ name: server })
  const raw = await new MailComposer({
    from: author,
    // The address is in an object, so that it is not parsed as a list or as a display name.
    to: { name: '', address: to },
    subject,
    ...(isHtml ? { html: text } : { text }),
    messageId: `<${id}@${server}>`,
    date: new Date(now),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
  const [sender] = addressparser(author, { flatten: true })
  return { id, from: sender?.address ?? '', utf8: false, recipients: [to], raw }
}
