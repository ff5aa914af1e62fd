import type { Source, SourceModule } from '@signalbox/platform-runtime'
import { mailPart } from './config/mail-part.ts'
import type { MailSettings } from './config/mail-settings.ts'
import { mailChanges } from './flow/mail-changes.ts'
import { mail } from './mail.ts'
import { type Mail, noMail } from './mail-access.ts'
import { mailStarter } from './mail-starter.ts'
import { localMailStorage, type MailStorage, mailStorage } from './mail-storage.ts'
import type { messageApis } from './message-api/message-apis.ts'
import type { OpenMail } from './open-mail.ts'

type MessageApis = ReturnType<typeof messageApis>

/** The source module of mail flow over SMTP. */
export const mailModule: SourceModule<MailSettings, { readonly mail: Mail }> = {
  config: mailPart,
  family: async () => (await import('./mail-family.ts')).mailFamily,
  commands: async () => (await import('./commands/all.ts')).mailCommands,
  records: async () => {
    const { mailboxRecords, mailRecords } = await import('./mail-records.ts')
    return [mailRecords, mailboxRecords]
  },
  starter: mailStarter,
  open(settings, { directory, engine, ...context }) {
    const consoleOf = async (opened?: () => Promise<OpenMail>) =>
      (await import('./console/mail-console.ts')).mailConsole(opened, context.clock)
    if (settings === undefined) return { sources: [], access: { mail: noMail }, console: () => consoleOf() }
    const storage: MailStorage =
      engine === undefined ? localMailStorage(directory) : async () => (await engine()).opener(mailStorage)()
    const announce = (url: string) => directory.announce({ mail: url })
    const changes = mailChanges()
    const source = mail(settings, storage, announce, context, changes)
    const { access, outboundMail, opened, current } = source
    const isFor = (id: string, functionName: string) => changes.attempt(id, functionName) !== 'not in flight'
    let loading: Promise<MessageApis> | undefined
    const apis = () => {
      loading ??= import('./message-api/message-apis.ts').then(({ messageApis }) =>
        messageApis(settings, { mail: opened, isFor }, context),
      )
      return loading
    }
    return {
      sources: [
        {
          ...source,
          async stop(grace) {
            await source.stop(grace)
            ;(await loading)?.clear()
          },
        },
        ...(settings.submission === undefined
          ? []
          : [furtherSource('mail submission', async () => (await opened()).submissionUrl!)]),
        ...(settings.submission?.implicitTlsPort === undefined
          ? []
          : [furtherSource('mail submission over TLS', async () => (await opened()).submissionsUrl!)]),
        ...(settings.lmtp === undefined
          ? []
          : [furtherSource('mail over LMTP', async () => (await opened()).lmtpUrl!)]),
        ...(settings.milter === undefined
          ? []
          : [furtherSource('milter', async () => (await opened()).milterUrl!)]),
        ...(settings.hooks === undefined
          ? []
          : [furtherSource('hooks for mail servers', async () => (await opened()).hooksUrl!)]),
      ],
      functions: settings.rules.map(({ functionName }) => functionName),
      access: { mail: access },
      services: { outboundMail },
      console: () => consoleOf(opened),
      metrics: async () => {
        const mails = current()
        return mails === undefined ? [] : (await import('./mail-metrics.ts')).mailMetrics(mails)
      },
      tests: async () =>
        (await import('./mail-test-part.ts')).mailTestPart(opened, {
          ...context,
          isShared: engine !== undefined,
        }),
      control: [
        {
          collection: 'mail',
          mediaType: 'message/rfc822',
          fetch: access.fetch,
          isFor,
        },
      ],
      apis: [
        {
          name: 'messages',
          endpointVariable: 'AWS_ENDPOINT_URL_WORKMAILMESSAGEFLOW',
          answer: async request => (await apis()).messages(request),
        },
        { name: 'objects', answer: async request => (await apis()).objects(request) },
      ],
    }
  },
}

/** Returns the source that announces a further listener. The mail source starts and stops this listener. */
function furtherSource(name: string, url: () => Promise<string>): Source {
  return {
    name,
    start: async () => ({ source: name, url: await url() }),
    stop: async () => {},
  }
}
