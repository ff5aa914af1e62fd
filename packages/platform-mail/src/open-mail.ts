import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@signalbox/core'
import type { SourceContext } from '@signalbox/platform-runtime'
import { randomUuid } from '@signalbox/platform-runtime'
import { eachThrough } from '@signalbox/platform-runtime/storage'
import { smtpListener } from './api/listener.ts'
import type { MailSettings, RelaySettings } from './config/mail-settings.ts'
import { type DeliveredMail, maildirs } from './delivery/maildirs.ts'
import type { Relay } from './delivery/relay.ts'
import { mailFlow } from './flow/mail-flow.ts'
import { fromMails } from './store/from-mails.ts'
import { type MailState, mailStates } from './store/mail-report.ts'
import { type MailStore, openMailStore } from './store/mail-store.ts'

/** Mail that is at work. */
export interface OpenMail {
  readonly url: string
  /** Takes nothing more, and resolves when what is under way is done, or after `grace` milliseconds. Closes the database. */
  readonly stop: (grace: number) => Promise<void>
  /** The text of a mail by its id; undefined when there is none, or not any more. */
  readonly fetch: (id: string) => Buffer | undefined
  /** How far every mail is, the newest first. */
  readonly states: () => readonly MailState[]
  /** What is in the mailboxes, or in one of them. */
  readonly inbox: (address?: string) => Promise<readonly DeliveredMail[]>
  readonly read: (mail: DeliveredMail) => Promise<Buffer>
}

interface MailFiles {
  readonly database: DatabaseSync
  readonly folder: string
}

/** Opens the store, goes on with what it holds, and listens. Closes the database when that fails. */
export async function openMail(
  settings: MailSettings,
  files: MailFiles,
  context: SourceContext,
): Promise<OpenMail> {
  try {
    return await opened(settings, files, context)
  } catch (error) {
    files.database.close()
    throw error
  }
}

async function opened(settings: MailSettings, files: MailFiles, given: SourceContext): Promise<OpenMail> {
  const sound = <T>(work: () => T): T => fromMails(files.database, work)
  const store = eachThrough(
    sound(() => openMailStore(files.database)),
    sound,
  )
  // What is due goes by the time at which the box was stopped, even if the clock was set back since.
  const lag = store.lag(given.clock.now())
  const clock: Clock = {
    now: () => given.clock.now() + lag,
    after: (ms, run) => given.clock.after(ms, run),
  }
  const context = { ...given, clock }
  const boxes = maildirs(files.folder)
  const carrier =
    typeof settings.relay === 'object' ? await relayTo(settings.relay, settings.name, context) : undefined
  const flow = mailFlow(store, settings, { maildirs: boxes, relay: carrier }, context)
  const newId = () => randomUuid(context.random)
  const listener = smtpListener(settings, flow.accept, { ...context, newId })
  const close = () => {
    flow.end()
    carrier?.close()
  }
  try {
    const url = await listener.start()
    flow.start()
    const watching = watch(store, flow.wake)
    return {
      url,
      async stop(grace) {
        clearInterval(watching)
        await Promise.all([listener.stop(grace), flow.stop(grace)])
        close()
        files.database.close()
      },
      fetch: store.raw,
      states: () => mailStates(files.database),
      inbox: boxes.list,
      read: boxes.read,
    }
  } catch (error) {
    await listener.stop(0)
    close()
    throw error
  }
}

/** Milliseconds between two looks for what another process has changed. They are real ones, since it is. */
const lookAgain = 500

/** Wakes when a command has changed the mails. */
function watch(store: Pick<MailStore, 'version'>, wake: () => void): NodeJS.Timeout {
  let seen = store.version()
  const look = () => {
    try {
      const version = store.version()
      if (version !== seen) wake()
      seen = version
    } catch {
      // Those who work on what is due say what is wrong with the file.
    }
  }
  return setInterval(look, lookAgain).unref()
}

/** A box without a relay need not load what speaks to one. */
async function relayTo(
  settings: RelaySettings,
  name: string,
  { clock }: Pick<SourceContext, 'clock'>,
): Promise<Relay> {
  const { relay } = await import('./delivery/relay.ts')
  return relay(settings, name, clock)
}
