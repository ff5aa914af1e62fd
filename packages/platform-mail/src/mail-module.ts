import type { SourceModule } from '@signalbox/platform-runtime'
import { inbox } from './commands/inbox.ts'
import { mail as mailCommand } from './commands/mail.ts'
import { mails } from './commands/mails.ts'
import { mailDelete, mailFlush, mailHold, mailRelease } from './commands/queued-mails.ts'
import { mailPart } from './config/mail-part.ts'
import type { MailSettings } from './config/mail-settings.ts'
import { type Mail, mail, noMail } from './mail.ts'

/** Mail flow over SMTP. */
export const mailModule: SourceModule<MailSettings, { readonly mail: Mail }> = {
  config: mailPart,
  family: async () => (await import('./mail-family.ts')).mailFamily,
  commands: [mailCommand, mailFlush, mailHold, mailRelease, mailDelete, inbox, mails],
  open(settings, { directory, ...context }) {
    if (settings === undefined) return { sources: [], access: { mail: noMail } }
    const source = mail(settings, directory, context)
    const { access } = source
    return {
      sources: [source],
      access: { mail: access },
      control: [{ collection: 'mail', mediaType: 'message/rfc822', fetch: access.fetch }],
    }
  },
}
