import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer, text } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailFlow } from '@signalbox/mail-flow'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { discard, eachMessage, queue } from '@signalbox/queue'
import { queueEvent, queueRecord } from '@signalbox/queue/testing'
import { deny, userPool } from '@signalbox/user-pool'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import * as t from 'io-ts'
import { telemetry, traceHeader, traceparent } from './index.ts'
import { incoming, invoked, light, sdk, sender, traceId } from './testing/span-ways.ts'

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
