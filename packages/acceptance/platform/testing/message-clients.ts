import type { Readable } from 'node:stream'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import {
  GetRawMessageContentCommand,
  PutRawMessageContentCommand,
  WorkMailMessageFlowClient,
} from '@aws-sdk/client-workmailmessageflow'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { type Config, createPlatform } from '@signalbox/platform'
import { createTransport } from 'nodemailer'

export const [bob, carol] = ['bob@office.example', 'carol@office.example'] as const
const head = [
  'From: Ann <ann@far.example>',
  'Date: Sun, 29 Nov 2026 10:00:00 +0000',
  'Message-ID: <1@far.example>',
  'Subject: Hello',
]
/** A mail. */
export const text = `${head.join('\r\n')}\r\n\r\nHi!\r\n`
/** The response that delivers a mail. */
export const deliver = { actions: [{ allRecipients: true, action: { type: 'DEFAULT' } }] }
/** Returns the key of an identity. */
export const key = (id: string) => ({ accessKeyId: id, secretAccessKey: `the-secret-of-${id}` })

/** A function of the platform. */
export type Answer = (event: MailEvent, clients: ReturnType<typeof clientsOf>) => unknown

/** Returns stock clients of the service. */
export function clientsOf(url: string, credentials = key('changer')) {
  const options = { region: 'local', credentials, maxAttempts: 1 }
  const messages = new WorkMailMessageFlowClient({ ...options, endpoint: url })
  const objects = new S3Client({ ...options, endpoint: `${url}/objects`, forcePathStyle: true })
  return {
    messages,
    objects,
    async read(messageId: string) {
      const { messageContent } = await messages.send(new GetRawMessageContentCommand({ messageId }))
      return (messageContent as { transformToString: () => Promise<string> }).transformToString()
    },
    store: (Body: string | Buffer | Readable, more: object = {}) =>
      objects.send(new PutObjectCommand({ Bucket: 'changes', Key: 'a b/ü.eml', Body, ...more })),
    stored: () => objects.send(new GetObjectCommand({ Bucket: 'changes', Key: 'a b/ü.eml' })),
    put: (messageId: string, reference: object = {}) =>
      messages.send(
        new PutRawMessageContentCommand({
          messageId,
          content: { s3Reference: { bucket: 'changes', key: 'a b/ü.eml', ...reference } },
        }),
      ),
    /** Changes a mail as functions do it. */
    async change(messageId: string, change: (raw: string) => string) {
      const own = clientsOf(url, credentials)
      await own.store(change(await own.read(messageId)))
      await own.put(messageId)
    },
  }
}

export type Clients = ReturnType<typeof clientsOf>

const ends: (() => Promise<unknown>)[] = []

/** Stops the platforms of a test. */
export async function stopAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}

/** Starts a platform whose functions change mails. */
export async function started(
  answers: { readonly [name: string]: Answer },
  mail: object,
  more: Partial<Config> = {},
  root?: string,
) {
  let url = ''
  const names = Object.keys(answers)
  const platform = createPlatform(
    {
      functions: Object.fromEntries(
        names.map(name => [
          name,
          { handler: (event: unknown) => answers[name]!(event as MailEvent, clientsOf(url)) },
        ]),
      ),
      mail: {
        port: 0,
        domains: { 'office.example': { to: 'mailboxes' } },
        rules: [{ direction: 'INBOUND', function: names[0]!, decide: 'before' }],
        ...mail,
      },
      control: { port: 0 },
      dataDir: ':memory:',
      ...more,
    } as Config,
    root === undefined ? {} : { root },
  )
  const addresses = await platform.start()
  const urlOf = (name: string) => addresses.find(({ source }) => source === name)!.url
  url = urlOf('control')
  const port = Number(new URL(urlOf('mail')).port)
  const smtp = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    smtp.close()
    await platform.stop()
  }
  ends.push(stop)
  return {
    ...{ platform, stop, url, clients: clientsOf(url) },
    async send(to: string | string[] = bob, raw = text) {
      const { response } = await smtp.sendMail({ envelope: { from: 'ann@far.example', to }, raw })
      return /Stored as (\S+)/.exec(String(response))![1]!
    },
    /** Waits until a mailbox has a mail. Returns its text. */
    async delivered(address: string) {
      for (;;) {
        const [first] = await platform.mail.inbox(address)
        if (first !== undefined) return String(await platform.mail.read(first))
        await new Promise(resolve => setTimeout(resolve, 5))
      }
    },
  }
}

/** Returns the name, the status and the message of the error with which a call fails. */
export async function errorOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    reason => reason as Error & { $metadata?: { httpStatusCode?: number } },
  )
  return error && [error.name, error.$metadata?.httpStatusCode, error.message]
}
