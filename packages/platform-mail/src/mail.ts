import type { OutboundMailer, Source, SourceContext } from '@signalbox/platform-runtime'
import type { MailSettings } from './config/mail-settings.ts'
import type { MailChanges } from './flow/mail-changes.ts'
import type { Mail } from './mail-access.ts'
import type { MailStorage } from './mail-storage.ts'
import type { OpenMail } from './open-mail.ts'
import { ownAddress } from './own-address.ts'

/**
 * Creates the mail source, which includes the SMTP listener, invocations and deliveries. Their code is loaded on start,
 * so that a platform without mail does not load it.
 */
export function mail(
  settings: MailSettings,
  storage: MailStorage,
  announce: (url: string) => void,
  context: SourceContext,
  changes: MailChanges,
): Source & {
  readonly access: Mail
  readonly outboundMail: OutboundMailer
  /** Resolves to the open mail. Rejects if the source is not started. */
  readonly opened: () => Promise<OpenMail>
  /** Returns the open mail, if the source has started. */
  readonly current: () => OpenMail | undefined
} {
  let opening: Promise<OpenMail> | undefined
  let current: OpenMail | undefined
  const open = async () => {
    const { openMail } = await import('./open-mail.ts')
    return openMail(settings, await storage(), context, changes)
  }
  const opened = async () => {
    if (opening === undefined)
      throw new Error('The platform is not running. Its mail can be read between start() and stop().')
    return opening
  }
  return {
    name: 'mail',
    opened,
    current: () => current,
    async start() {
      opening = open()
      current = await opening
      announce(current.url)
      return { source: 'mail', url: current.url }
    },
    async stop(grace) {
      // After a failed start, everything is already closed.
      const last = await opening?.catch(() => undefined)
      current = undefined
      await last?.stop(grace)
      opening = undefined
    },
    access: {
      fetch: async id => (await opened()).fetch(id),
      states: async () => (await opened()).states(),
      inbox: async address => (await opened()).inbox(address),
      read: async delivered => (await opened()).read(delivered),
    },
    outboundMail: {
      ownAddress: ownAddress(settings),
      submit: async mail => (await opened()).submit(mail),
    },
  }
}
