import { systemClock } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { type Config, createPlatform } from '@signalbox/platform'
import { createTransport } from 'nodemailer'

export const minute = 60_000
export const hour = 60 * minute

/** The platforms that a test has started. */
export const running: ReturnType<typeof createPlatform>[] = []
/** Stops them. */
export async function stopPlatforms(): Promise<void> {
  await Promise.all(running.splice(0).map(platform => platform.stop()))
}

export type Json = Record<string, unknown>

/** Starts a platform whose clock stands still, and returns what a test in another language has: HTTP. */
export async function start(config: Config, headers: Record<string, string> = {}) {
  const notices: string[] = []
  const clock = manualClock(Date.now(), { runsDueTimers: true })
  const platform = createPlatform(
    { dataDir: ':memory:', grace: 1, control: { port: 0, testing: true }, ...config },
    { clock, machineClock: systemClock, onNotice: text => notices.push(text) },
  )
  running.push(platform)
  const urls = new Map((await platform.start()).map(({ source, url }) => [source, url]))
  const ask = async (method: string, path: string, body?: unknown, more = headers) => {
    const response = await fetch(`${urls.get('control')}/testing${path}`, {
      method,
      headers: more,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return { status: response.status, body: (isJson ? JSON.parse(text) : text) as never }
  }
  const read = async (path: string): Promise<Json[]> => (await ask('GET', path)).body
  const call = async (source: string, target: string, input: object) => {
    const type = source === 'queues' ? '1.0' : '1.1'
    const response = await fetch(urls.get(source)!, {
      method: 'POST',
      headers: { 'content-type': `application/x-amz-json-${type}`, 'x-amz-target': target },
      body: JSON.stringify(input),
    })
    return (await response.json()) as Json
  }
  return {
    platform,
    clock,
    notices,
    urls,
    ask,
    read,
    advance: (ms: number) => ask('POST', '/clock', { advance: ms }),
    sqs: (operation: string, queue: string, input: object = {}) =>
      call('queues', `AmazonSQS.${operation}`, {
        QueueUrl: `${urls.get('queues')}/000000000000/${queue}`,
        ...input,
      }),
    pools: (operation: string, input: object) =>
      call('user pools', `AWSCognitoIdentityProviderService.${operation}`, input),
    invokeLater: (name: string, event: unknown) =>
      fetch(`${urls.get('invoke')}/2015-03-31/functions/${name}/invocations`, {
        method: 'POST',
        headers: { 'x-amz-invocation-type': 'Event' },
        body: JSON.stringify(event),
      }),
    async sendMail(to: string, subject: string) {
      const { hostname, port } = new URL(urls.get('mail')!)
      const transport = createTransport({ host: hostname, port: Number(port), ignoreTLS: true })
      await transport.sendMail({ from: 'rita@partner.example', to, subject, text: 'Hello' })
      transport.close()
    },
  }
}

/** A platform with every source. Its function `work` fails for messages and events that say so. */
/** A configuration with every source. */
export const everything: Config = {
  functions: {
    work: {
      async handler(event: unknown) {
        // Like a function in a process, it takes time that the platform's clock does not measure.
        for (let turns = 0; turns < 30; turns++) await new Promise(setImmediate)
        if (JSON.stringify(event).includes('fail')) throw new Error('no')
        return { batchItemFailures: [] }
      },
    },
  },
  queues: {
    jobs: { function: 'work', visibilityTimeout: 60, deadLetter: { queue: 'letters', maxReceiveCount: 3 } },
    inbox: { visibilityTimeout: 30 },
  },
  queueListener: { port: 0 },
  mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } } },
  userPools: {
    staff: {
      verify: ['email'],
      groups: { admins: {} },
      clients: { web: { id: 'web', flows: ['password'] } },
    },
  },
  userPoolListener: { port: 0 },
  invoke: { port: 0 },
}

/** The parameters with which a user signs up. */
export const signUp = (name: string) => ({
  ClientId: 'web',
  Username: name,
  Password: 'Right-7even',
  UserAttributes: [{ Name: 'email', Value: `${name}@office.example` }],
})
