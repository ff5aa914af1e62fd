import { afterEach, describe, expect, it } from '@jest/globals'
import { type Config, createPlatform } from '@signalbox/platform'
import { readMetricsText } from '@signalbox/platform-runtime/testing/prometheus-text'
import { createTransport } from 'nodemailer'

const key = { id: 'prometheus', secret: 'a-secret-of-the-scraper' }
const authorization = `Bearer ${key.id}.a-secret-of-the-scraper`
const many = (prefix: string) => Array.from({ length: 60 }, (_, at) => `${prefix}${at}`)

const config: Config = {
  dataDir: ':memory:',
  grace: 1,
  control: { port: 0 },
  access: {
    identities: {
      prometheus: { keys: [key], rights: { metrics: { read: ['*'] } } },
      shop: {
        keys: [{ id: 'shop', secret: 'a-secret-of-the-shop' }],
        rights: { console: { read: ['*'] } },
      },
    },
  },
  functions: {
    work: {
      handler: async (event: unknown) => {
        if (JSON.stringify(event).includes('fail')) throw new Error('no')
        return {
          statusCode: 200,
          statusDescription: '200 OK',
          multiValueHeaders: {},
          body: 'ok',
          isBase64Encoded: false,
        }
      },
    },
  },
  loadBalancers: { web: { port: 0, function: 'work' } },
  queues: { 'jobs.fifo': {}, inbox: {} },
  queueListener: { port: 0 },
  mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } } },
  userPools: { staff: { verify: ['email'], clients: { web: { id: 'web', flows: ['password'] } } } },
  userPoolListener: { port: 0 },
}

const running: ReturnType<typeof createPlatform>[] = []

/**
 * The tests of `GET /metrics`, which every storage engine must pass.
 * @param storage returns the storage of each platform
 * @param operations what the storage says how long it takes
 */
export function metricsSuite(
  engine: string,
  storage: (number: number) => Partial<Config>,
  operations: readonly string[],
): void {
  let number = 0
  afterEach(async () => {
    await Promise.all(running.splice(0).map(platform => platform.stop()))
  })

  async function start(more: Partial<Config> = {}) {
    const platform = createPlatform({ ...config, ...storage(number++), ...more }, { onNotice: () => {} })
    running.push(platform)
    const urls = new Map((await platform.start()).map(({ source, url }) => [source, url]))
    const get = (path = '/metrics', headers: Record<string, string> = { authorization }, method = 'GET') =>
      fetch(`${urls.get('control')}${path}`, { headers, method })
    const text = async () => (await get()).text()
    const pools = (operation: string, input: object) =>
      fetch(urls.get('user pools')!, {
        method: 'POST',
        headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
        body: JSON.stringify(input),
      })
    return { urls, get, text, pools }
  }

  /** Returns the value of each series, by its name and labels. */
  async function seriesOf(text: string): Promise<Record<string, number>> {
    return Object.fromEntries(
      text
        .split('\n')
        .filter(line => line !== '' && !line.startsWith('#'))
        .map(line => {
          const at = line.lastIndexOf(' ')
          return [line.slice(0, at), Number(line.slice(at + 1))]
        }),
    )
  }

  async function until<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
    for (;;) {
      const value = await read()
      if (isDone(value)) return value
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  describe(`metrics with ${engine}`, () => {
    it('are for a key with the right to read them alone, as text that Prometheus reads', async () => {
      const { get } = await start()
      expect((await get('/metrics', {})).status).toBe(401)
      expect((await get('/metrics', { authorization: 'Bearer shop.a-secret-of-the-shop' })).status).toBe(403)
      expect((await get('/metrics', { authorization, origin: 'https://evil.example' })).status).toBe(403)
      expect((await get('/metrics', undefined, 'POST')).status).toBe(405)
      expect((await get('/metrics/more')).status).toBe(404)
      const answer = await get()
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
      const families = readMetricsText(await answer.text())
      expect(families.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['process_cpu_seconds_total', 'signalbox_queue_messages']),
      )
      for (const { name, help, type } of families) {
        expect(name).toMatch(/^(signalbox|process|nodejs)_[a-z_]+$/)
        expect(help).toMatch(/^[A-Z].*\.$/)
        expect(name.endsWith('_total')).toBe(type === 'COUNTER')
      }
    })

    it('count queues, mails, sign-ins, invocations, requests and commits', async () => {
      const { urls, text, pools } = await start({ access: undefined } as never)
      const client = `${urls.get('queues')}/000000000000`
      const sqs = (operation: string, input: object) =>
        fetch(urls.get('queues')!, {
          method: 'POST',
          headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` },
          body: JSON.stringify(input),
        })
      await sqs('SendMessage', { QueueUrl: `${client}/inbox`, MessageBody: 'one' })
      await sqs('SendMessage', { QueueUrl: `${client}/inbox`, MessageBody: 'two', DelaySeconds: 900 })
      for (const QueueName of many('of-a-client-')) {
        await sqs('CreateQueue', { QueueName })
        await sqs('SendMessage', { QueueUrl: `${client}/${QueueName}`, MessageBody: 'three' })
      }
      for (const path of ['/', '/fail']) await fetch(new URL(path, urls.get('load balancer web')))
      const account = { ClientId: 'web', Username: 'ann', Password: 'Right-7even' }
      await pools('SignUp', { ...account, UserAttributes: [{ Name: 'email', Value: 'ann@office.example' }] })
      const signIn = (PASSWORD: string) =>
        pools('InitiateAuth', {
          ...{ AuthFlow: 'USER_PASSWORD_AUTH', ClientId: 'web' },
          AuthParameters: { USERNAME: 'ann', PASSWORD },
        })
      await signIn('Wrong-7even')
      await pools('AdminConfirmSignUp', { UserPoolId: 'local_staff', Username: 'ann' })
      const { hostname, port } = new URL(urls.get('mail')!)
      const mailer = createTransport({ host: hostname, port: Number(port), ignoreTLS: true })
      await mailer.sendMail({ from: 'bob@far.example', to: 'bob@office.example', subject: 'Hi', text: 'Hi' })
      const isDelivered = (all: Record<string, number>) =>
        all['signalbox_mail_recipients{state="delivered"}'] === 2
      const series = await until(async () => seriesOf(await text()), isDelivered)
      expect(series).toMatchObject({
        'signalbox_queue_messages{queue="inbox",state="visible"}': 1,
        'signalbox_queue_messages{queue="inbox",state="delayed"}': 1,
        'signalbox_queue_messages{queue="jobs.fifo",state="visible"}': 0,
        'signalbox_queue_oldest_message_age_seconds{queue="jobs.fifo"}': 0,
        'signalbox_queue_messages{queue="other",state="visible"}': 60,
        'signalbox_invocations_total{function="work",result="success"}': 1,
        'signalbox_invocations_total{function="work",result="threw"}': 1,
        'signalbox_invocations_total{function="work",result="timeout"}': 0,
        'signalbox_invocation_duration_seconds_bucket{function="work",le="+Inf"}': 2,
        'signalbox_invocation_duration_seconds_count{function="work"}': 2,
        'signalbox_sign_in_steps_total{pool="staff",result="success"}': 0,
        'signalbox_sign_in_steps_total{pool="staff",result="refused"}': 1,
        'signalbox_listener_requests_total{listener="load balancer web",status="2xx"}': 1,
        'signalbox_listener_requests_total{listener="load balancer web",status="5xx"}': 1,
        'signalbox_listener_requests_total{listener="queues",status="2xx"}': 122,
        signalbox_mail_held: 0,
      })
      expect(series['signalbox_queue_oldest_message_age_seconds{queue="inbox"}']).toBeGreaterThan(0)
      for (const operation of operations)
        expect(series[`signalbox_storage_duration_seconds_count{operation="${operation}"}`]).toBeGreaterThan(
          0,
        )
      expect(await text()).not.toMatch(/of-a-client|secret|Right-7even|ann|office/)
    })

    it('have fewer than 1,000 series, whatever the configuration and its clients name', async () => {
      const functions = Object.fromEntries(many('f').map(name => [name, { handler: async () => ({}) }]))
      const { text } = await start({
        functions,
        queues: Object.fromEntries(many('q').map(name => [name, { function: name.replace('q', 'f') }])),
        loadBalancers: Object.fromEntries(many('b').map(name => [name, { port: 0, function: 'f1' }])),
        userPools: Object.fromEntries(many('p').map(name => [name, { clients: { [`web-${name}`]: {} } }])),
      } as never)
      const series = Object.keys(await seriesOf(await text()))
      expect(series.length).toBeGreaterThan(700)
      expect(series.length).toBeLessThan(1000)
      expect(series).toContain('signalbox_queue_messages{queue="other",state="visible"}')
    })
  })
}
