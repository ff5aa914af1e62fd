import { Writable } from 'node:stream'
import { Logger } from '@aws-lambda-powertools/logger'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { signalbox } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailFlow } from '@signalbox/mail-flow'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { queue } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'
import { userPool } from '@signalbox/user-pool'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import fc from 'fast-check'
import pino from 'pino'
import { log, type TelemetryOptions, telemetry, traceparent } from '../index.ts'
import { corpus, ordinary, secret } from '../testing/secret-corpus.ts'

type Line = { readonly [name: string]: unknown }

const lines: Line[] = []
const restores: (() => void)[] = []
beforeEach(() => {
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    const spy = jest.spyOn(console, level).mockImplementation(text => void lines.push(JSON.parse(text)))
    restores.push(() => spy.mockRestore())
  }
})
afterEach(() => {
  for (const restore of restores.splice(0)) restore()
  for (const each of [trace, context, propagation]) each.disable()
  delete process.env.SIGNALBOX_LOG_LEVEL
  delete process.env.AWS_LAMBDA_FUNCTION_NAME
  lines.length = 0
})

const invoked = (requestId = 'request-7') => invocationContext({ functionName: 'shop', requestId } as never)

describe('log()', () => {
  it('writes lines with the ids of the event and of the span of an SDK, also with many events at once', async () => {
    const exporter = new InMemorySpanExporter()
    context.setGlobalContextManager(new AsyncLocalStorageContextManager())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
    )
    const routes = [
      get('/orders/{id}', async ({ params }, context) => {
        await new Promise(resolve => setTimeout(resolve, Number(params.id) % 5))
        log(context).info('order read', { order: params.id })
        return json({})
      }),
    ]
    const handler = signalbox(loadBalancer(routes)).use(telemetry({ log: true }))
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => handler(httpEvent('GET', `/orders/${at}`), invoked(`r${at}`))),
    )
    const spans = exporter.getFinishedSpans()
    expect([lines.length, spans.length]).toEqual([50, 50])
    for (const line of lines) {
      const span = spans.find(each => each.attributes['faas.invocation.id'] === line.request_id)!
      expect(line).toEqual({
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        ...{ level: 'info', message: 'order read', order: String(line.request_id).slice(1) },
        ...{ request_id: line.request_id, family: 'load-balancer', method: 'GET', route: '/orders/{id}' },
        ...{ trace_id: span.spanContext().traceId, span_id: span.spanContext().spanId },
      })
    }
  })

  it('writes the ids of the span of each message with the light exporter, and what each family has', async () => {
    const spans: (string | undefined)[] = []
    const batches = signalbox(
      queue({
        async onMessage({ body }) {
          await Promise.resolve()
          spans.push(traceparent())
          log().warn(body)
        },
      }),
    ).use(telemetry({ export: 'otlp', log: true }))
    await batches(queueEvent({ bodies: ['one', 'two'] }), invoked())
    expect(new Set(lines.map(({ span_id }) => span_id)).size).toBe(2)
    expect(lines).toMatchObject(
      spans.map(span => ({
        ...{ level: 'warn', family: 'queue', queue: 'orders', request_id: 'request-7' },
        ...{ trace_id: span!.split('-')[1], span_id: span!.split('-')[2] },
      })),
    )
    const pool = signalbox(
      userPool({
        PreSignUp_SignUp: (_, context) => {
          log(context).error('asked')
          return {}
        },
      }),
    ).use(telemetry({ log: true }))
    await pool(preSignUpEvent(), invoked())
    const mail = signalbox(
      mailFlow((_mail, actions) => {
        log().info('arrived')
        return actions.drop()
      }),
    ).use(telemetry({ log: true }))
    await mail(mailEvent(), invoked())
    expect(lines[2]).toMatchObject({ family: 'user-pool', trigger_source: 'PreSignUp_SignUp' })
    expect(lines[3]).toMatchObject({
      family: 'mail-flow',
      flow_direction: 'INBOUND',
      request_id: 'request-7',
    })
    expect(lines[3]).not.toHaveProperty('span_id')
  })

  it('reads nothing of a record that warns of a name of a provider', async () => {
    const before = process.env.NODE_ENV
    process.env.NODE_ENV = 'development'
    try {
      const event = queueEvent({ bodies: ['one'] })
      const [record] = event.Records as { eventSourceARN: string }[]
      record!.eventSourceARN = 'arn:aws:sqs:eu-central-1:000000000000:orders'
      await signalbox(queue({ onMessage: () => log().warn('own') })).use(telemetry({ log: true }))(
        event,
        invoked(),
      )
    } finally {
      process.env.NODE_ENV = before
    }
    expect(lines).toMatchObject([{ message: 'own', family: 'queue', queue: 'orders' }])
  })

  it.each<TelemetryOptions>([{}, { log: true }, { export: 'emf' }, { export: 'emf', log: true }])(
    'writes the ids of the span of the platform with telemetry(%j), which hands it on',
    async options => {
      const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
      restores.push(() => write.mockRestore())
      const [traceId, spanId] = ['a'.repeat(32), 'b'.repeat(16)]
      const context = { ...invoked(), traceparent: `00-${traceId}-${spanId}-00` }
      const seen: unknown[] = []
      const onMessage = () => {
        seen.push(traceparent())
        log(context).info('message')
      }
      await signalbox(queue({ onMessage })).use(telemetry(options))(queueEvent({ bodies: ['one'] }), context)
      expect(seen).toEqual([context.traceparent])
      expect(lines).toMatchObject([{ trace_id: traceId, span_id: spanId }])
      expect(write.mock.calls.length > 0).toBe(options.export === 'emf')
    },
  )

  it('writes without telemetry() and without a context', () => {
    log(invoked()).info('one')
    log(undefined).info('two', { request_id: 'mine' })
    expect(lines).toMatchObject([{ message: 'one', request_id: 'request-7' }, { request_id: 'mine' }])
    expect(Object.keys(lines[0]!)).toEqual(['timestamp', 'level', 'message', 'request_id'])
  })

  it.each([
    [undefined, ['info', 'warn', 'error']],
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['TRACE', ['trace', 'debug', 'info', 'warn', 'error']],
    ['error', ['error']],
    ['fatal', ['error']],
    ['silent', []],
    ['loud', ['info', 'warn', 'error']],
  ])('writes with the level %s: %s', (level, written) => {
    if (level !== undefined) process.env.SIGNALBOX_LOG_LEVEL = level
    const all = log(invoked())
    for (const each of ['trace', 'debug', 'info', 'warn', 'error'] as const) all[each](each)
    expect(lines.map(line => line.level)).toEqual(written)
    expect(lines.map(({ message }) => message)).toEqual(written)
  })

  it('writes to stdout on AWS, where the console adds to lines', () => {
    const written: string[] = []
    const write = jest
      .spyOn(process.stdout, 'write')
      .mockImplementation(text => written.push(String(text)) > 0)
    process.env.AWS_LAMBDA_FUNCTION_NAME = 'shop'
    try {
      log(invoked()).info('one')
    } finally {
      write.mockRestore()
    }
    expect(written.map(line => [line.at(-1), JSON.parse(line).message])).toEqual([['\n', 'one']])
    expect(lines).toEqual([])
  })

  it('never shows secrets of fields and texts, and never throws', () => {
    const circle: Record<string, unknown> = { note: 'kept' }
    circle.self = circle
    const hostile = {
      get boom() {
        throw new Error(secret)
      },
    }
    const long = 'x '.repeat(2000)
    const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.${secret}`
    log(invoked()).info(`GET https://ada:${secret}@db.example/?api_key=${secret}&page=2`, {
      ...{
        password: secret,
        apiKey: { nested: secret },
        tokens: [secret],
        session_id: 7n,
        hasPassword: true,
      },
      headers: { Authorization: `Bearer ${secret}`, cookie: [secret], accept: '*/*' },
      text: `{"password": "${secret}", "user": "ada"} password=${secret}; Authorization: Bearer ${secret}`,
      texts: [
        `secret: '${long}${secret}'`,
        `token ${jwt}`,
        `from eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ==.eyJzdWIiOiJhZGEifQ==.${secret}=`,
        `Bearer ${secret}abc`,
        `sk_live_${secret}`,
        `-----BEGIN PRIVATE KEY-----\n${secret}`,
      ],
      error: Object.assign(new TypeError(`secret: ${secret}`, { cause: new Error(`otp=${secret}`) }), {
        clientSecret: secret,
      }),
      map: new Map([['pin', secret]]),
      ...{ circle, when: new Date(0), bytes: Buffer.from(secret), set: new Set([1n]), run: () => secret },
    })
    expect(lines[0]).toMatchObject({
      message: 'GET https://ada:***@db.example/?api_key=***&page=2',
      ...{
        password: '***',
        apiKey: { nested: '***' },
        tokens: ['***'],
        session_id: '***',
        hasPassword: true,
      },
      headers: { Authorization: '***', cookie: ['***'], accept: '*/*' },
      error: {
        type: 'TypeError',
        message: 'secret: ***',
        cause: { message: 'otp=***' },
        clientSecret: '***',
      },
      circle: { note: 'kept', self: '[circular]' },
      ...{ when: '1970-01-01T00:00:00.000Z', bytes: '[15 bytes]', set: ['1'], map: { pin: '***' } },
    })
    expect(JSON.stringify(lines[0])).toContain('"user\\": \\"ada')
    expect(JSON.stringify(lines)).not.toContain(secret)
    const stderr: string[] = []
    const write = jest
      .spyOn(process.stderr, 'write')
      .mockImplementation(text => stderr.push(String(text)) > 0)
    try {
      log(invoked()).info('hostile', hostile)
    } finally {
      write.mockRestore()
    }
    expect(lines).toHaveLength(1)
    expect(stderr.join()).not.toContain(secret)
  })

  it('hides every secret that the invocation log hides, in messages and in fields', () => {
    const leaked = corpus.filter(text => {
      lines.length = 0
      log(invoked()).info(text, { text, nested: [{ text }] })
      return JSON.stringify(lines).includes(secret)
    })
    expect([corpus.length > 150, leaked]).toEqual([true, []])
  })

  it('hides a secret wherever a line repeats it, and shows ordinary text as it is', () => {
    log(invoked()).info('signed in with Zq7hunterXw2vN9', { token: 'Zq7hunterXw2vN9', order: 'LAMP-7' })
    expect(lines[0]).toMatchObject({ message: 'signed in with ***', token: '***', order: 'LAMP-7' })
    for (const text of ordinary) {
      lines.length = 0
      log(invoked()).info(text, { text })
      expect(lines).toMatchObject([{ message: text, text }])
    }
  })

  it('shows a line with many short texts, of which each may hold a secret', () => {
    const urls = Array.from({ length: 200 }, (_, at) => `/login?next=/${at}&token=abc${at}`)
    const texts = Array.from({ length: 200 }, (_, at) => `token ok ${at}`)
    log(invoked()).info('many', { urls, texts })
    expect(lines).toMatchObject([
      { message: 'many', urls: urls.map((_, at) => `/login?next=/${at}&token=***`) },
    ])
    expect(lines[0]!.texts).toHaveLength(200)
  })

  it('writes one line of JSON for any fields, and hides what is named as a secret', () => {
    fc.assert(
      fc.property(
        fc.object({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        fields => {
          lines.length = 0
          log(invoked()).info('any', {
            fields,
            nested: [
              {
                password: JSON.stringify(fields, (_, each) => (typeof each === 'bigint' ? `${each}` : each)),
                more: { ['__proto__']: fields },
              },
            ],
          })
          expect(lines).toMatchObject([{ request_id: 'request-7', nested: [{ password: '***' }] }])
        },
      ),
    )
  })

  it('shortens long texts, lists and objects, and is quick about hostile texts', () => {
    log(invoked()).info('a"'.repeat(50_000), {
      list: Array(1000).fill(1),
      text: 'a="'.repeat(50_000),
      object: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at])),
      deep: JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`),
    })
    expect(JSON.stringify(lines[0]).length).toBeLessThan(120_000)
    expect(lines[0]).toMatchObject({ object: { '…': '44 more' } })
  })

  it('goes through a logger of pino, which decides on levels', () => {
    const written: Line[] = []
    const stream = new Writable({
      write(chunk, _, done) {
        written.push(JSON.parse(String(chunk)))
        done()
      },
    })
    const logger = pino({ level: 'warn' }, stream)
    const own = log(invoked(), { logger })
    own.info('quiet')
    own.error('loud', { password: 'hunter2', order: 7 })
    expect(written).toMatchObject([
      { level: 50, msg: 'loud', request_id: 'request-7', order: 7, password: '***' },
    ])
    expect(lines).toEqual([])
  })

  it("goes through Powertools' Logger", () => {
    process.env.POWERTOOLS_DEV = 'true'
    const written: Line[] = []
    const logger = new Logger({ serviceName: 'shop', logLevel: 'WARN' })
    const spy = jest
      .spyOn((logger as unknown as { console: Console }).console, 'error')
      .mockImplementation(text => void written.push(JSON.parse(text)))
    const own = log(invoked(), { logger })
    own.info('quiet')
    own.error('loud', { password: 'hunter2', order: 7 })
    spy.mockRestore()
    delete process.env.POWERTOOLS_DEV
    expect(written).toMatchObject([
      {
        level: 'ERROR',
        message: 'loud',
        service: 'shop',
        request_id: 'request-7',
        order: 7,
        password: '***',
      },
    ])
  })

  it('flushes a logger once before the deadline, and at the end of the invocation', async () => {
    let flushes = 0
    let onFlush = () => {}
    const logger = {
      ...{ trace() {}, debug() {}, info() {}, warn() {}, error() {} },
      flush() {
        flushes++
        onFlush()
      },
    }
    const handler = signalbox(
      queue({
        async onMessage({ body }) {
          const flushed = new Promise<void>(resolve => {
            onFlush = resolve
          })
          log(undefined, { logger }).info('one')
          log(undefined, { logger }).info('two')
          if (body === 'slow') await flushed
        },
      }),
    ).use(telemetry({ log: true }))
    await handler(queueEvent({ bodies: ['quick'] }), invoked())
    expect(flushes).toBe(1)
    await handler(queueEvent({ bodies: ['slow'] }), { ...invoked(), getRemainingTimeInMillis: () => 1500 })
    expect(flushes).toBe(3)
  })

  it('refuses unknown options and what is no logger', () => {
    expect(() => log(invoked(), { loger: 1 } as never)).toThrow(/log\(\).*loger/)
    expect(() => log(invoked(), { logger: { info() {} } as never })).toThrow('no function trace')
  })
})
