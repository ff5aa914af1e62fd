import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import middy from '@middy/core'
import { context, metrics, propagation, type Span, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import { get, json, loadBalancer, text } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailFlow } from '@signalbox/mail-flow'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { discard, eachMessage, queue } from '@signalbox/queue'
import { queueEvent, queueRecord } from '@signalbox/queue/testing'
import { deny, userPool } from '@signalbox/user-pool'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import * as t from 'io-ts'
import { type TelemetryOptions, telemetry, traceHeader, traceparent } from './index.ts'
import { type Receiver, type SeenSpan, startReceiver } from './testing/otlp-receiver.ts'

/** A way of getting the spans that a function makes. */
interface Way {
  readonly options: TelemetryOptions
  readonly start: () => Promise<void>
  readonly end: () => Promise<void>
  /** Waits for a number of spans, and returns them in the order in which they ended. */
  readonly spans: (count: number) => Promise<readonly SeenSpan[]>
  /** Makes a span of the user's own in the active one, and returns its parent. */
  readonly ownSpan: () => string | undefined
}

const memory = new InMemorySpanExporter()
const sdk: Way = {
  options: {},
  async start() {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: memory })] }),
    )
  },
  async end() {
    for (const each of [trace, context, propagation, metrics]) each.disable()
    memory.reset()
  },
  async spans(count) {
    await until(() => memory.getFinishedSpans().length >= count)
    return memory.getFinishedSpans().map(seen)
  },
  ownSpan() {
    const span: Span = trace.getTracer('own').startSpan('own')
    return (span as unknown as ReadableSpan).parentSpanContext?.spanId
  },
}

let receiver: Receiver
const light: Way = {
  options: { export: 'otlp' },
  async start() {
    receiver = await startReceiver()
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
  },
  async end() {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    await receiver[Symbol.asyncDispose]()
  },
  async spans(count) {
    await until(() => receiver.spans.length >= count)
    return receiver.spans
  },
  ownSpan: () => traceparent()?.split('-')[2],
}

function seen(span: ReadableSpan): SeenSpan {
  return {
    ...{ traceId: span.spanContext().traceId, spanId: span.spanContext().spanId, name: span.name },
    parentId: span.parentSpanContext?.spanId,
    kind: (['internal', 'server', 'client', 'producer', 'consumer'] as const)[span.kind] as SeenSpan['kind'],
    attributes: span.attributes,
    links: span.links.map(link => link.context.spanId),
    isError: span.status.code === 2,
    message: span.status.message,
    took: span.duration[0] * 1000 + span.duration[1] / 1e6,
  }
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 5_000
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited for too long')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const incoming = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
const sender = (spanId: string) => ({
  CloudTraceHeader: `Root=1-${traceId.slice(0, 8)}-${traceId.slice(8)};Parent=${spanId};Sampled=1`,
})
const invoked = () => invocationContext({ functionName: 'shop', requestId: 'request-7' } as never)

describe.each([
  ['an SDK', sdk],
  ['its own exporter', light],
] as const)('telemetry() with %s', (_, way) => {
  beforeEach(way.start)
  afterEach(way.end)
  const withSpans = () => telemetry(way.options)

  it('makes a span of a request, in the trace of the client, named after the route', async () => {
    let own: string | undefined
    const routes = [
      get('/orders/{id}', async ({ params }) => {
        await Promise.resolve()
        own = way.ownSpan()
        return json(params)
      }),
    ]
    const handler = signalbox(loadBalancer(routes)).use(withSpans())
    await handler(httpEvent('GET', '/orders/secret-7?token=x', { headers: incoming }), invoked())
    const [span] = await way.spans(1)
    expect(span).toMatchObject({
      ...{ name: 'GET /orders/{id}', kind: 'server', traceId, parentId: 'b7ad6b7169203331', isError: false },
      attributes: {
        'faas.trigger': 'http',
        'faas.name': 'shop',
        'faas.invocation.id': 'request-7',
        'http.request.method': 'GET',
        'http.route': '/orders/{id}',
        'http.response.status_code': 200,
      },
    })
    expect(own).toBe(span!.spanId)
    expect(JSON.stringify(span)).not.toMatch(/secret-7|token/)
  })

  it.each([
    ['/missing', 404, false, undefined],
    ['/broken', 500, true, 'TypeError'],
    ['/busy', 503, true, '503'],
  ] as const)('GET %s: %s is a failure of the function: %s', async (path, status, isError, type) => {
    const routes = [
      get('/broken', () => {
        throw new TypeError('password is hunter2')
      }),
      get('/busy', () => text('busy', { status: 503 } as never)),
    ]
    const handler = signalbox(loadBalancer(routes, { log: () => {} })).use(withSpans())
    await handler(httpEvent('GET', path), invoked())
    const [span] = await way.spans(1)
    expect(span).toMatchObject({ isError, attributes: { 'http.response.status_code': status } })
    expect(span!.attributes['error.type']).toBe(type)
    expect(JSON.stringify(span)).not.toContain('hunter2')
  })

  it('makes a span of each message, in the span of the batch, linked to its sender', async () => {
    const owns: unknown[] = []
    const handler = signalbox(
      queue({
        log: () => {},
        async onMessage({ body }) {
          await new Promise(resolve => setTimeout(resolve, 3))
          owns.push([body, way.ownSpan()])
          if (body === 'bad') throw new RangeError('sk_live_0123456789')
          if (body === 'given up') discard()
        },
      }),
    ).use(withSpans())
    const records = ['good', 'bad', 'given up'].map((body, at) =>
      queueRecord(body, {
        messageId: `m${at}`,
        attributes: { ApproximateReceiveCount: `${at + 1}`, ...sender(`000000000000000${at + 1}`) },
      }),
    )
    expect(await handler({ Records: records }, invoked())).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm1' }],
    })
    const spans = await way.spans(4)
    const batch = spans.at(-1)!
    expect(batch).toMatchObject({
      ...{ name: 'process orders', kind: 'consumer', parentId: undefined, links: [], isError: false },
      attributes: {
        'messaging.batch.message_count': 3,
        'messaging.system': 'aws_sqs',
        'messaging.operation.type': 'process',
        'signalbox.queue.failed_messages': 1,
      },
    })
    const messages = ['m0', 'm1', 'm2'].map(
      id => spans.find(({ attributes }) => attributes['messaging.message.id'] === id)!,
    )
    for (const [at, span] of messages.entries())
      expect(span).toMatchObject({
        ...{ name: 'process orders', kind: 'consumer', parentId: batch.spanId, traceId: batch.traceId },
        links: [`000000000000000${at + 1}`],
        isError: at === 1,
        attributes: { 'signalbox.queue.attempt': at + 1, 'messaging.destination.name': 'orders' },
      })
    expect(messages[1]!.attributes['error.type']).toBe('RangeError')
    expect(messages[2]!.attributes['signalbox.queue.discarded']).toBe(true)
    expect(messages[0]!.took).toBeGreaterThan(2)
    expect(owns).toEqual(['good', 'bad', 'given up'].map((body, at) => [body, messages[at]!.spanId]))
    expect(JSON.stringify(spans)).not.toContain('sk_live')
  })

  it('links a message to the span that an instrumentation wrote into its attributes', async () => {
    const messageAttributes = { traceparent: { dataType: 'String', stringValue: incoming.traceparent } }
    const handler = signalbox(queue({ onMessage() {} })).use(withSpans())
    await handler({ Records: [queueRecord('one', { messageAttributes })] })
    expect((await way.spans(2))[0]!.links).toEqual(['b7ad6b7169203331'])
  })

  it('makes one trace of a batch with one message, when it is asked to', async () => {
    const handler = signalbox(queue({ onMessage() {} })).use(
      telemetry({ ...way.options, propagation: 'parent' }),
    )
    await handler({ Records: [queueRecord('one', { attributes: sender('0000000000000009') })] })
    const [message, batch] = await way.spans(2)
    expect([batch!.traceId, batch!.parentId]).toEqual([traceId, '0000000000000009'])
    expect([message!.traceId, message!.parentId]).toEqual([traceId, batch!.spanId])
  })

  it('ends the span of a message that cannot be read, and of one that is not finished in time', async () => {
    let stop = () => {}
    const handler = signalbox(queue({ body: fromJson(t.number), log: () => {}, onMessage() {} })).use(
      withSpans(),
    )
    await handler(queueEvent({ bodies: ['text'] }))
    expect((await way.spans(2))[0]).toMatchObject({
      isError: true,
      attributes: { 'error.type': 'InvalidMessageError' },
    })
    const slow = signalbox(
      queue({ log: () => {}, onMessage: () => new Promise<void>(resolve => (stop = resolve)) }),
    ).use(withSpans())
    const answer = await slow(queueEvent({ bodies: ['slow'] }), {
      ...invoked(),
      getRemainingTimeInMillis: () => 300,
    })
    expect(answer.batchItemFailures).toHaveLength(1)
    stop()
    const spans = await way.spans(4)
    expect(spans.slice(2).map(({ attributes }) => attributes['error.type'])).toEqual(['timeout', undefined])
  })

  it('makes a span of a trigger and of a mail', async () => {
    const pool = signalbox(userPool({ PreSignUp_SignUp: () => deny('No entry for eve') })).use(withSpans())
    await expect(pool(preSignUpEvent())).rejects.toThrow('No entry')
    const mail = signalbox(mailFlow((_mail, actions) => actions.drop())).use(withSpans())
    await mail(mailEvent())
    const [denied, dropped] = await way.spans(2)
    expect(denied).toMatchObject({
      ...{ name: 'PreSignUp_SignUp', isError: true, kind: 'server' },
      attributes: { 'error.type': 'DeniedError', 'signalbox.user_pool.trigger_source': 'PreSignUp_SignUp' },
    })
    expect(JSON.stringify(denied)).not.toContain('eve')
    expect(dropped).toMatchObject({
      ...{ name: 'mail INBOUND', isError: false },
      attributes: { 'signalbox.mail.flow_direction': 'INBOUND', 'signalbox.mail.actions': 'DROP' },
    })
  })

  it('ends the span when another middleware answers first, and when one fails', async () => {
    const handler = signalbox(loadBalancer([get('/', () => text('late'))]))
      .use(withSpans())
      .use({ before: () => text('early') })
    await handler(httpEvent('GET', '/'))
    expect(await way.spans(1)).toMatchObject([{ attributes: { 'http.response.status_code': 200 } }])
    const failing = signalbox(queue({ onMessage() {} }))
      .use(withSpans())
      .use({
        before() {
          throw new SyntaxError('x')
        },
      })
    await expect(failing(queueEvent({ bodies: ['one'] }))).rejects.toThrow('x')
    expect((await way.spans(2))[1]).toMatchObject({
      isError: true,
      attributes: { 'error.type': 'SyntaxError' },
    })
  })

  it('serves any middy stack', async () => {
    const batches = middy({ timeoutEarlyInMillis: 0 })
      .use(withSpans() as middy.MiddlewareObj)
      .handler(eachMessage(t.string, () => {}) as never)
    await batches(queueEvent({ bodies: ['one'] }) as never, invoked() as never)
    const other = middy({ timeoutEarlyInMillis: 0 })
      .use(withSpans() as middy.MiddlewareObj)
      .handler((() => {
        throw new EvalError('x')
      }) as never)
    await expect(other({} as never, invoked() as never)).rejects.toThrow('x')
    const spans = await way.spans(3)
    expect(spans.map(({ name }) => name)).toEqual(['process orders', 'process orders', 'shop'])
    expect(spans[0]!.parentId).toBe(spans[1]!.spanId)
    expect(spans[2]).toMatchObject({ isError: true, attributes: { 'faas.trigger': 'other' } })
  })

  it('keeps events apart that are handled at the same time', async () => {
    const handler = signalbox(
      loadBalancer([
        get('/{name}', async ({ params }) => {
          await new Promise(resolve => setTimeout(resolve, 2))
          return json({
            name: params.name,
            parent: way.ownSpan(),
            header: traceparent(),
            queue: traceHeader(),
          })
        }),
      ]),
    ).use(withSpans())
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_each, at) => {
        const trace = `${at + 1}`.padStart(32, '0')
        const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` }
        const { body } = await handler(httpEvent('GET', `/${at}`, { headers }))
        return { trace, ...JSON.parse(body!) }
      }),
    )
    const spans = await way.spans(20)
    for (const { trace, parent, header, queue: forQueue } of answers) {
      const span = spans.find(each => each.traceId === trace)!
      expect(parent).toBe(span.spanId)
      expect(header).toBe(`00-${trace}-${span.spanId}-01`)
      expect(forQueue).toBe(`Root=1-00000000-${trace.slice(8)};Parent=${span.spanId};Sampled=1`)
    }
  })
})

describe('telemetry()', () => {
  it('does nothing without an SDK', async () => {
    const handler = signalbox(queue({ onMessage: () => expect(traceparent()).toBeUndefined() })).use(
      telemetry(),
    )
    expect(await handler(queueEvent({ bodies: ['one'] }))).toEqual({ batchItemFailures: [] })
  })

  it('follows the sampling of the SDK', async () => {
    trace.setGlobalTracerProvider(
      new TracerProvider({
        sampler: new AlwaysOffSampler(),
        spanProcessors: [new SimpleSpanProcessor({ exporter: memory })],
      }),
    )
    try {
      await signalbox(queue({ onMessage() {} })).use(telemetry())(queueEvent({ bodies: ['one'] }))
      expect(memory.getFinishedSpans()).toEqual([])
    } finally {
      await sdk.end()
    }
  })

  it('makes both spans with two middlewares, and with contexts that cannot be changed or are shared', async () => {
    await sdk.start()
    await light.start()
    try {
      const both = signalbox(queue({ onMessage() {} }))
        .use(telemetry())
        .use(telemetry({ export: 'otlp' }))
      const shared = invoked()
      for (const context of [shared, shared, Object.freeze({ ...invoked() })])
        await both(queueEvent({ bodies: ['one'] }), context)
      const names = (spans: readonly SeenSpan[]) => spans.map(({ kind, isError }) => `${kind} ${isError}`)
      // A frozen context has no messages.
      expect(names(await sdk.spans(5))).toEqual(Array(5).fill('consumer false'))
      expect(names(await light.spans(5))).toEqual(Array(5).fill('consumer false'))
    } finally {
      await sdk.end()
      await light.end()
    }
  })

  it('fails no invocation, whatever the event, the context and the SDK are', async () => {
    await sdk.start()
    const lines: string[] = []
    const write = jest.spyOn(process.stderr, 'write').mockImplementation(text => lines.push(String(text)) > 0)
    try {
      const any = middy({ timeoutEarlyInMillis: 0 })
        .use(telemetry() as middy.MiddlewareObj)
        .handler((() => ({ actions: [{ action: { type: { toString: 1 } } }] })) as never)
      const hostile = new Proxy(
        {},
        {
          get: () => {
            throw new Error('hunter2')
          },
        },
      )
      for (const event of [
        { Records: [null] },
        {
          Records: [
            {
              messageId: 'm',
              receiptHandle: 'r',
              attributes: { ApproximateReceiveCount: { valueOf: 1 } },
            },
          ],
        },
        { Records: [{ eventSource: 'aws:s3' }] },
        { httpMethod: 's3cr3t method', headers: { 'x-forwarded-proto': 'hunter2' } },
        { flowDirection: 'INBOUND', envelope: null },
        hostile,
        null,
      ])
        expect(await any(event as never, { awsRequestId: 1n, functionName: 7 } as never)).toHaveProperty(
          'actions',
        )
      const seenNames = memory.getFinishedSpans().map(({ name }) => name)
      expect(seenNames).toEqual([
        'function',
        'process unknown',
        'function',
        'HTTP',
        'mail INBOUND',
        'function',
      ])
      expect(JSON.stringify([memory.getFinishedSpans().map(seen), lines])).not.toMatch(/s3cr3t|hunter2/)
      const thrown = new Proxy(
        {},
        {
          get: () => {
            throw new Error('hunter2')
          },
        },
      )
      const failing = signalbox(
        queue({
          log: () => {},
          onMessage() {
            throw thrown
          },
        }),
      ).use(telemetry())
      expect((await failing(queueEvent({ bodies: ['one'] }))).batchItemFailures).toHaveLength(1)
      expect(lines).toEqual(['telemetry: an event could not be recorded (Error)\n'])
    } finally {
      write.mockRestore()
      await sdk.end()
    }
  })

  it('takes no error of the user for a discarded message, and shows no body of an unreadable one', async () => {
    await sdk.start()
    try {
      const handler = signalbox(
        queue({
          body: fromJson(t.type({ card: t.number })),
          log: () => {},
          onMessage() {
            throw Object.assign(new Error(), { code: 'DISCARDED' })
          },
        }),
      ).use(telemetry())
      await handler(queueEvent({ bodies: [{ card: 7 }, { card: '4111-secret' }] as never }))
      const [unreadable, own] = await sdk.spans(3)
      expect(own).toMatchObject({ isError: true, attributes: { 'error.type': 'Error' } })
      expect(unreadable).toMatchObject({ isError: true, attributes: { 'error.type': 'InvalidMessageError' } })
      expect(JSON.stringify(unreadable)).not.toContain('4111')
    } finally {
      await sdk.end()
    }
  })

  it('hands the state of the trace on', async () => {
    await sdk.start()
    try {
      let state: string | undefined
      const handler = signalbox(
        loadBalancer([
          get('/', () => {
            state = trace.getActiveSpan()!.spanContext().traceState?.serialize()
            return text('ok')
          }),
        ]),
      ).use(telemetry())
      await handler(httpEvent('GET', '/', { headers: { ...incoming, tracestate: 'vendor=1' } }))
      expect(state).toBe('vendor=1')
    } finally {
      await sdk.end()
    }
  })

  it('refuses unknown options and values', () => {
    expect(() => telemetry({ exporter: 'otlp' } as never)).toThrow(/telemetry\(\).*exporter/)
    expect(() => telemetry({ export: 'zipkin' as never })).toThrow(
      /export is "zipkin", expected 'otlp' or 'emf'/,
    )
    expect(() => telemetry({ propagation: 'none' as never })).toThrow(/propagation is "none"/)
  })

  it('records metrics with the names of the conventions, and few series', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1e9 })
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
    try {
      const pool = signalbox(userPool({ PreSignUp_SignUp: () => deny('no') })).use(telemetry())
      await expect(pool(preSignUpEvent())).rejects.toThrow()
      const handler = signalbox(
        queue({
          log: () => {},
          onMessage({ body }) {
            if (body === 'bad') throw new RangeError()
          },
        }),
      ).use(telemetry())
      for (let at = 0; at < 3; at++)
        await handler({
          Records: [
            queueRecord('good', { messageId: `a${at}` }),
            queueRecord('bad', { messageId: `b${at}`, attributes: { ApproximateReceiveCount: '2' } }),
          ],
        })
      await reader.forceFlush()
      const found = exporter
        .getMetrics()[0]!
        .scopeMetrics[0]!.metrics.map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map(({ attributes, value }) => [
            attributes,
            typeof value === 'number' ? value : (value as { count: number }).count,
          ]),
        ])
      const orders = {
        'messaging.system': 'aws_sqs',
        'messaging.operation.name': 'process',
        'messaging.destination.name': 'orders',
      }
      expect(Object.fromEntries(found)).toMatchObject({
        'faas.invocations': [[{ 'faas.trigger': 'pubsub' }, 3]],
        'faas.errors': [[{ 'faas.trigger': 'other', 'error.type': 'DeniedError' }, 1]],
        'faas.invoke_duration': [
          [{ 'faas.trigger': 'other' }, 1],
          [{ 'faas.trigger': 'pubsub' }, 3],
        ],
        'messaging.process.duration': [
          [{ ...orders, 'error.type': 'RangeError' }, 3],
          [orders, 3],
        ],
        'signalbox.queue.retries': [[{ 'messaging.destination.name': 'orders' }, 3]],
      })
    } finally {
      await reader.shutdown()
      await sdk.end()
    }
  })
})
