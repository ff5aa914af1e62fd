import type { Source, SourceContext } from '@signalbox/platform-runtime'
import type { DataDirectory } from '@signalbox/platform-runtime/storage'
import type { MailSettings } from './config/mail-settings.ts'
import type { DeliveredMail } from './delivery/maildirs.ts'
import type { OpenMail } from './open-mail.ts'
import type { MailState } from './store/mail-report.ts'

/** What a platform knows of its mails. Everything rejects unless the platform is running, and has mail. */
export interface Mail {
  /** A mail as it came, by its id: what a function's `fetchMessage` is for. Undefined when there is none, or not any more. */
  readonly fetch: (id: string) => Promise<Buffer | undefined>
  /** Every mail that is not forgotten yet, and what became of it for each recipient; newest first. */
  readonly states: () => Promise<readonly MailState[]>
  /** What was delivered, to anybody or to one address. */
  readonly inbox: (address?: string) => Promise<readonly DeliveredMail[]>
  /** A delivered mail as it stands in the mailbox. */
  readonly read: (mail: DeliveredMail) => Promise<Buffer>
}

/**
 * Mail flow: the SMTP listener, the functions' decisions and the deliveries. What that takes is loaded when it starts,
 * so that a box without mail need not.
 */
export function mail(
  settings: MailSettings,
  directory: Pick<DataDirectory, 'open' | 'folder' | 'announce'>,
  context: SourceContext,
): Source & { readonly access: Mail } {
  let opening: Promise<OpenMail> | undefined
  const open = async () => {
    const { openMail } = await import('./open-mail.ts')
    const files = { database: directory.open('mail'), folder: directory.folder('mailboxes') }
    return openMail(settings, files, context)
  }
  const opened = async () => {
    if (opening === undefined)
      throw new Error('The platform is not running: its mails can be read from start() to stop().')
    return opening
  }
  return {
    name: 'mail',
    async start() {
      opening = open()
      const { url } = await opening
      directory.announce({ mail: url })
      return { source: 'mail', url }
    },
    async stop(grace) {
      // A start that failed has left nothing behind.
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
  throw new Error('This platform has no mail: its configuration says nothing of it. Give it `mail`.')
}
