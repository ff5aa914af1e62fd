import type { Clock } from '@signalbox/core'
import type { OutboundMailer, SourceContext } from '@signalbox/platform-runtime'
import { randomUuid } from '@signalbox/platform-runtime'
import type { HttpListener } from '@signalbox/platform-runtime/listener'
import { bounds } from './api/connections/bounds.ts'
import { intakes } from './api/data/intake.ts'
import { smtpListener } from './api/listener.ts'
import type { HooksSettings, MailSettings, MilterSettings } from './config/mail-settings.ts'
import type { FilterWork } from './filter/filter-answers.ts'
import { type MailChanges, mailChanges } from './flow/mail-changes.ts'
import { type MailFlow, mailFlow } from './flow/mail-flow.ts'
import { outboundMailer } from './flow/outbound-mailer.ts'
import type { HooksListenerContext } from './hooks/hooks-listener.ts'
import type { Mail } from './mail-access.ts'
import type { StoredMails } from './mail-storage.ts'
import type { Mailboxes } from './mailboxes/mailboxes.ts'
import { mailboxesByRecipient } from './mailboxes-by-recipient.ts'
import type { MilterListener, MilterListenerContext } from './milter/milter-listener.ts'
import type { NextServers } from './relay/next-servers.ts'
import type { MailStore, QueuedMails } from './store/mail-store.ts'

/** The mail of a running platform. */
export interface OpenMail extends Mail, OutboundMailer, Pick<MailFlow, 'changingAttempt'> {
  readonly url: string
  /** The URL of the submission listener. Undefined if the configuration has no submission listener. */
  readonly submissionUrl: string | undefined
  /** The URL of the submission listener with implicit TLS. Undefined if the configuration has none. */
  readonly submissionsUrl: string | undefined
  /** The URL of the LMTP listener. Undefined if the configuration has no LMTP listener. */
  readonly lmtpUrl: string | undefined
  /** The URL of the milter. Undefined if the configuration has no milter. */
  readonly milterUrl: string | undefined
  /** The URL of the listener for hooks. Undefined if the configuration has no hooks. */
  readonly hooksUrl: string | undefined
  readonly queued: QueuedMails
  readonly mailboxes: Mailboxes
  readonly counts: MailStore['counts']
  /** Deletes all mails, of mailboxes too. Does nothing to mails that several platforms share. */
  readonly clear: () => Promise<void>
  /**
   * Stops accepting mail. Resolves when running work has ended, or after `grace` milliseconds. Closes the store.
   */
  readonly stop: (grace: number) => Promise<void>
}

/** Continues stored work, and starts the listeners. Closes the store if that fails. */
export async function openMail(
  settings: MailSettings,
  { store, mailboxes }: StoredMails,
  context: SourceContext,
  changes: MailChanges = mailChanges(),
): Promise<OpenMail> {
  try {
    return await opened(settings, { store, mailboxes }, context, changes)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function opened(
  settings: MailSettings,
  { store, mailboxes }: StoredMails,
  context: SourceContext,
  changes: MailChanges,
): Promise<OpenMail> {
  const { access, clock, machineClock } = context
  await store.correctTimes(clock.now())
  const servers = await serversOf(settings, { now: clock.now, after: machineClock.after })
  const flow = mailFlow(store, settings, { mailboxes, servers }, context, changes)
  const listening = {
    ...{ ...context, clock: machineClock, newId: () => randomUuid(context.random) },
    newIntake: intakes(settings.maxSize, bounds),
  }
  const { decide } = flow
  const checkSender = await senderChecksOf(settings, machineClock)
  const listener = smtpListener(settings, flow.accept, listening, bounds, { access, decide, checkSender })
  const submissionAt = (port: number, implicitTls: boolean) =>
    smtpListener({ ...settings, ...settings.submission, port }, flow.accept, listening, bounds, {
      ...{ access, decide, implicitTls },
      submission: true,
    })
  const { port, implicitTlsPort } = settings.submission ?? {}
  const submission = port === undefined ? undefined : submissionAt(port, false)
  const submissions = implicitTlsPort === undefined ? undefined : submissionAt(implicitTlsPort, true)
  const lmtp =
    settings.lmtp &&
    smtpListener({ ...settings, ...settings.lmtp }, flow.accept, listening, bounds, {
      ...{ access, checkSender },
      protocol: 'lmtp',
      decide: mail => decide({ ...mail, everyRule: true }),
    })
  const milter =
    settings.milter && (await milterFor({ ...settings, milter: settings.milter }, listening, flow))
  const hooks = settings.hooks && (await hooksFor({ ...settings, hooks: settings.hooks }, listening, flow))
  const listeners = [listener, submission, submissions, lmtp, milter, hooks].filter(
    each => each !== undefined,
  )
  const reachable = mailboxesByRecipient(mailboxes, settings)
  const end = () => {
    flow.end()
    servers?.close()
  }
  try {
    const url = await listener.start()
    const submissionUrl = await submission?.start()
    const submissionsUrl = await submissions?.start()
    const lmtpUrl = await lmtp?.start()
    const milterUrl = await milter?.start()
    const hooksUrl = await hooks?.start()
    await flow.start()
    const stopWatching = store.watch(flow.wake)
    return {
      url,
      submissionUrl,
      submissionsUrl,
      lmtpUrl,
      milterUrl,
      hooksUrl,
      queued: store,
      mailboxes: reachable,
      async clear() {
        await store.clear?.()
        await mailboxes.clear?.()
      },
      async stop(grace) {
        stopWatching()
        await Promise.all([...listeners.map(each => each.stop(grace)), flow.stop(grace)])
        end()
        await store.close()
      },
      ...outboundMailer(settings, flow.accept, { now: () => clock.wall(), traces: context.traces }),
      fetch: flow.raw,
      changingAttempt: flow.changingAttempt,
      states: store.states,
      counts: store.counts,
      inbox: reachable.list,
      read: mailboxes.read,
    }
  } catch (error) {
    await Promise.all(listeners.map(each => each.stop(0)))
    await flow.stop(0)
    end()
    throw error
  }
}

/** Loads the checks of senders, which need a package of their own. */
async function senderChecksOf({ name, authentication }: MailSettings, clock: Pick<Clock, 'after'>) {
  if (!authentication?.check) return undefined
  const { senderChecks } = await import('./api/data/sender-checks.ts')
  return senderChecks({ name, timeout: authentication.timeout, clock })
}

/** Loads and creates the listener for other mail servers. */
async function milterFor(
  settings: MailSettings & { readonly milter: MilterSettings },
  context: Omit<MilterListenerContext, 'work'>,
  work: FilterWork,
): Promise<MilterListener> {
  const { milterListener } = await import('./milter/milter-listener.ts')
  return milterListener(settings, { ...context, work })
}

/** Loads and creates the listener for other mail servers that ask over HTTP. */
async function hooksFor(
  settings: MailSettings & { readonly hooks: HooksSettings },
  context: Omit<HooksListenerContext, 'work'>,
  work: FilterWork,
): Promise<HttpListener> {
  const { hooksListener } = await import('./hooks/hooks-listener.ts')
  return hooksListener(settings, { ...context, work })
}

/** Loads the SMTP client. A platform that hands no mail over does not load it. */
async function serversOf(
  settings: MailSettings,
  clock: Pick<Clock, 'now' | 'after'>,
): Promise<NextServers | undefined> {
  const handsOver =
    typeof settings.relay === 'object' ||
    [...settings.domains.values()].some(({ to }) => typeof to === 'object')
  if (!handsOver) return undefined
  const { nextServers } = await import('./relay/next-servers.ts')
  return nextServers(settings, clock)
}
