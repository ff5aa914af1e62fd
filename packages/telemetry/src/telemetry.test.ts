import { describe, expect, it, jest } from '@jest/globals'
import middy from '@middy/core'
import { metrics, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { AlwaysOffSampler, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { get, loadBalancer, text } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { queue } from '@signalbox/queue'
import { queueEvent, queueRecord } from '@signalbox/queue/testing'
import { deny, userPool } from '@signalbox/user-pool'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import * as t from 'io-ts'
import { telemetry, traceparent } from './index.ts'
import type { SeenSpan } from './testing/otlp-receiver.ts'
import { incoming, invoked, light, memory, sdk, seen } from './testing/span-ways.ts'

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
      // It is said once in a process, which may have been in another test file.
      expect(lines.filter(line => line !== 'telemetry: an event could not be recorded (Error)\n')).toEqual([])
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
