import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import { describe, expect, it } from '@jest/globals'
import { aws } from '@signalbox/aws'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { talk } from '@signalbox/platform-runtime/testing/raw-client'
import { queueEvent } from '@signalbox/queue/testing'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import { createPlatform } from '../platform.ts'

function setup(
  handler: unknown,
  multiValueHeaders = false,
  own: { readonly dialect?: 'aws' } = { dialect: 'aws' },
) {
  const platform = createPlatform({
    functions: { shop: { handler: handler as never, ...own } },
    loadBalancers: { web: { port: 0, function: 'shop', multiValueHeaders } },
    dataDir: ':memory:',
  })
  return { ...platform, [Symbol.asyncDispose]: platform.stop }
}

describe("functions with dialect: 'aws'", () => {
  it.each([
    ['single-value headers', false],
    ['multi-value headers', true],
  ])("can run Hono's Lambda adapter with %s", async (_mode, multiValueHeaders) => {
    const app = new Hono()
    app.post('/orders/:id', async c => {
      c.header('set-cookie', 'a=1', { append: true })
      c.header('set-cookie', 'b=2', { append: true })
      return c.json({ id: c.req.param('id'), view: c.req.query('view'), body: await c.req.json() }, 201)
    })
    await using platform = setup(handle(app), multiValueHeaders)
    const [address] = await platform.start()
    const { responses } = await talk(
      address!.url,
      'POST /orders/7?view=full HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}',
    )
    expect(responses[0]).toMatchObject({ status: 201 })
    expect(JSON.parse(responses[0]!.body.toString())).toEqual({ id: '7', view: 'full', body: { a: 1 } })
    if (multiValueHeaders) {
      expect(
        responses[0]!.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value),
      ).toEqual(['a=1', 'b=2'])
    }
  })

  it.each([
    ['single-value headers', false],
    ['multi-value headers', true],
  ])(
    "get a client's trace as a load balancer of AWS sends it, and no header that the client did not send, with %s",
    async (_mode, multiValueHeaders) => {
      const events: { readonly [map: string]: object }[] = []
      await using platform = setup((event: never) => {
        events.push(event)
        return { statusCode: 200, headers: {}, body: '' }
      }, multiValueHeaders)
      const [address] = await platform.start()
      const client = 'Root=1-67891233-abcdef012345678912345678;Parent=463ac35c9f6413ad;Sampled=1'
      const send = (...lines: readonly string[]) =>
        talk(address!.url, `${['GET / HTTP/1.1', 'Host: a', ...lines].join('\r\n')}\r\n\r\n`)
      await send()
      await send(`X-Amzn-Trace-Id: ${client}`, 'X-Amzn-Oidc-Identity: ann')
      await send(`X-Cloud-Trace-Id: ${client}`)
      const headers = events.map(event =>
        Object.fromEntries(
          Object.entries(event[multiValueHeaders ? 'multiValueHeaders' : 'headers']!).map(([name, value]) => [
            name,
            [value].flat().join(),
          ]),
        ),
      )
      const own = ['host', 'x-amzn-trace-id', 'x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto']
      expect(headers.map(each => Object.keys(each).sort())).toEqual([
        own,
        // The load balancer alone says who is signed in.
        own,
        [...own, 'x-cloud-trace-id'].sort(),
      ])
      expect(headers[0]!['x-amzn-trace-id']).toMatch(/^Root=1-[\da-f]{8}-[\da-f]{24}$/)
      expect(headers[1]).toMatchObject({
        'x-amzn-trace-id': expect.stringMatching(/^Self=1-[\da-f]{8}-[\da-f]{24};/),
      })
      expect(headers[1]!['x-amzn-trace-id']!.replace(/^Self=[^;]*;/, '')).toBe(client)
      expect(headers[2]).toMatchObject({
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-/),
        'x-cloud-trace-id': client,
      })
    },
  )

  it("can run Powertools' batch processor", async () => {
    const processor = new BatchProcessor(EventType.SQS)
    const handler = (event: never, context: never) =>
      processPartialResponse(
        event,
        (record: { readonly body: string }) => {
          if (record.body === 'bad') throw new Error('bad')
        },
        processor,
        { context },
      )
    await using platform = setup(handler)
    const event = queueEvent({ bodies: ['good', 'bad'] })
    const { verdict } = await platform.invoke('shop', event)
    expect(verdict).toMatchObject({
      kind: 'partial',
      text: `partial: ${event.Records[1]!.messageId} failed`,
    })
  })

  it('get events and a context with AWS names, and return responses with AWS names', async () => {
    let seen: unknown
    await using platform = setup(
      (event: object, context: { awsRequestId: string; invokedFunctionArn: string }) => {
        seen = { event, id: context.awsRequestId, arn: context.invokedFunctionArn }
        return { ...event, response: { autoConfirmUser: true } }
      },
    )
    const { verdict, requestId } = await platform.invoke('shop', preSignUpEvent())
    expect(seen).toMatchObject({
      event: { callerContext: { awsSdkVersion: expect.any(String) } },
      id: requestId,
      arn: expect.stringMatching(/:function:shop$/),
    })
    expect(verdict).toMatchObject({ kind: 'accepted', text: 'accepted with {"autoConfirmUser":true}' })
  })

  it('may omit the response fields that AWS makes optional', async () => {
    await using platform = setup(() => ({ statusCode: 204 }))
    const [address] = await platform.start()
    const { responses } = await talk(address!.url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(responses[0]).toMatchObject({ statusLine: 'HTTP/1.1 204 No Content' })
  })
})

describe("functions for AWS without dialect: 'aws'", () => {
  const notInAws = [
    ['the load-balancer adapter of Hono', handle(new Hono().get('/', c => c.text('hello')))],
    ['a handler in aws()', aws(signalbox(loadBalancer([get('/', () => json('hello'))])))],
  ] as const
  it.each(notInAws)(
    'fail behind a load balancer, and the log names the dialect for %s',
    async (_which, handler) => {
      for (const multiValueHeaders of [false, true]) {
        await using platform = setup(handler, multiValueHeaders, {})
        const [address] = await platform.start()
        const { responses } = await talk(address!.url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
        expect(responses[0]).toMatchObject({ status: 502 })
        const [entry] = await platform.invocationLog.list({ last: 1 })
        expect(`${entry!.verdict?.text} ${entry!.failure?.message}`).toContain(
          "dialect: 'aws' at the function",
        )
      }
    },
  )
})
