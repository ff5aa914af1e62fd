import type { Source, SourceContext } from '@signalbox/platform-runtime'
import type { MailSettings } from './config/mail-settings.ts'
import type { MailStorage } from './mail-storage.ts'
import type { DeliveredMail } from './mailboxes/mailboxes.ts'
import type { OpenMail } from './open-mail.ts'
import type { MailState } from './store/mail-store.ts'

/** What a program can ask a platform about its mail. Everything rejects unless the platform runs and has mail. */
export interface Mail {
  /** The raw text of a mail by its id, for a function's `fetchMessage`. Undefined when no such mail is stored, or no longer. */
  readonly fetch: (id: string) => Promise<Buffer | undefined>
  /**
   * All stored mails with the disposition for each recipient, newest first.
   * @example
   * const [latest] = await platform.mail.states()
   * latest.recipients[0].state // 'delivered'
   */
  readonly states: () => Promise<readonly MailState[]>
  /**
   * The mails in all mailboxes, or in the mailbox of one address, newest first.
   * @example
   * const [mail] = await platform.mail.inbox('ann@office.example')
   * const raw = await platform.mail.read(mail)
   */
  readonly inbox: (address?: string) => Promise<readonly DeliveredMail[]>
  /** The raw text of a delivered mail, with `Return-Path` and `Delivered-To` on top. */
  readonly read: (mail: DeliveredMail) => Promise<Buffer>
}

/**
 * The source of mail flow: SMTP listener, invocations and deliveries. Their code is loaded on start, so that a platform
 * without mail does not load it.
 */
export function mail(
  settings: MailSettings,
  storage: MailStorage,
  announce: (url: string) => void,
  context: SourceContext,
): Source & { readonly access: Mail } {
  let opening: Promise<OpenMail> | undefined
  const open = async () => {
    const { openMail } = await import('./open-mail.ts')
    return openMail(settings, await storage(), context)
  }
  const opened = async () => {
    if (opening === undefined)
      throw new Error('The platform is not running. Its mail can be read between start() and stop().')
    return opening
  }
  return {
    name: 'mail',
    async start() {
      opening = open()
      const { url } = await opening
      announce(url)
      return { source: 'mail', url }
    },
    async stop(grace) {
      // A start that failed has closed everything.
      const last = await opening?.catch(() => undefined)
      await last?.stop(grace)
      opening = undefined
    },
    access: {
      fetch: async id => (await opened()).fetch(id),
      states: async () => (await opened()).states(),
      inbox: async address => (await opened()).inbox(address),
      read: async delivered => (await opened()).read(delivered),
    },
  }
}

/** The mail of a platform whose configuration has none. */
export const noMail: Mail = {
  fetch: refuse,
  states: refuse,
  inbox: refuse,
  read: refuse,
}

async function refuse(): Promise<never> {
  throw new Error('This platform has no mail. Add the key mail to its configuration.')
}
