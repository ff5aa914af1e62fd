import assert from 'node:assert/strict'
import { signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { any, type HttpRequest, loadBalancer } from '@signalbox/load-balancer'
import {
  connectionOptions,
  httpVerdict,
  isHopByHop,
  isMultiValue,
  type LoadBalancerEvent,
  requestEvent,
} from '@signalbox/load-balancer/contract'
import { exchange, httpEvent } from '@signalbox/load-balancer/testing'
import { startBalancer } from '@signalbox/platform-load-balancer/testing/running-balancer'
import { breaks, type ContractCase, keeps, type Sides } from '../contract-case.ts'
import { functionSetup } from '../function-setup.ts'
import { ask, ok } from './http-sides.ts'

/** Returns the cases for what a request becomes. */
export function requestRules(): readonly ContractCase[] {
  return [...eventRules(), ...bodyRules(), ...modeRules(), ...lineRules()]
}

/** Sends an event to a function that uses the plugin. Returns the value that `look` reads from the request. */
export async function seen<T>(event: object, look: (request: HttpRequest) => T): Promise<T> {
  let found: { readonly value: T } | undefined
  const route = any('/{path+}', request => {
    found = { value: look(request as never) }
    return ok as never
  })
  const { verdict } = await exchange(signalbox(loadBalancer([route])), event as LoadBalancerEvent)
  if (found === undefined) throw new Error(`The request was answered with ${verdict.statusLine}.`)
  return found.value
}

const setup = functionSetup((_event, answer) => answer)

function eventRules(): readonly ContractCase[] {
  const { requestContext, ...rest } = httpEvent('GET', '/orders')
  const topLevel = { ...rest, targetGroupArn: requestContext.elb.targetGroupArn }
  const trace = 'Root=1-5c536348-3d683b8b04734faae651f476'
  const health = { 'user-agent': 'ELB-HealthChecker/2.0' }
  return [
    keeps('request.top-level-target-group', 'an event with the name there alone', {
      function: async () => assert.equal(await seen(topLevel, ({ path }) => path), '/orders'),
      platform: async () => assert.equal(await setup.refusal(topLevel, ok), undefined),
    }),
    breaks('request.top-level-target-group', 'an event with the name in neither place', {
      function: () =>
        assert.rejects(signalbox(loadBalancer([any('/a', () => ok as never)]))(rest), {
          name: 'UnknownEventError',
        }),
      platform: async () => assert.notEqual(await setup.refusal(rest, ok), undefined),
    }),
    keeps('request.correlation-id', 'a request with the header', {
      function: async () =>
        assert.equal(
          await seen(
            httpEvent('GET', '/a', { headers: { 'x-cloud-trace-id': trace } }),
            request => request.correlationId,
          ),
          trace,
        ),
      async platform() {
        const { events } = await ask(ok, { lines: [`x-cloud-trace-id: ${trace}`] })
        assert.match(events[0]!.headers!['x-cloud-trace-id']!, new RegExp(`;${trace}$`))
      },
    }),
    breaks('request.correlation-id', 'a request without it', {
      async function() {
        const { 'x-cloud-trace-id': _, ...headers } = httpEvent('GET', '/a').headers!
        const id = await seen({ ...httpEvent('GET', '/a'), headers }, request => request.correlationId)
        assert.ok(id !== trace && !id?.startsWith('Root='), id)
      },
      // The load balancer creates its own correlation id.
      async platform() {
        const { events } = await ask(ok)
        assert.match(events[0]!.headers!['x-cloud-trace-id']!, /^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/)
      },
    }),
    ...(
      [
        ['keeps', 'a health check', health, true],
        ['breaks', 'another user-agent', { 'user-agent': 'curl/8' }, false],
      ] as const
    ).map(([kind, name, headers, isCheck]) =>
      ({ keeps, breaks })[kind]('request.health-check', name, {
        function: async () =>
          assert.equal(
            await seen({ ...httpEvent('GET', '/a'), headers }, each => each.isHealthCheck),
            isCheck,
          ),
        platform: async () => {
          const [names, agent] = isCheck ? await healthCheck() : await ordinaryRequest(headers['user-agent'])
          assert.equal(names.length === 1 && agent.startsWith('ELB-HealthChecker/'), isCheck)
        },
      }),
    ),
  ]
}

/** Returns the header names of a health check, and the value of its `user-agent` header. */
async function healthCheck(): Promise<readonly [readonly string[], string]> {
  const events: LoadBalancerEvent[] = []
  const clock = manualClock()
  const checked = await startBalancer(
    (event: LoadBalancerEvent) => {
      events.push(event)
      return ok
    },
    { healthCheck: { path: '/health', interval: 10, healthyThreshold: 3, unhealthyThreshold: 2 } },
    { clock },
  )
  await clock.advance(0)
  const stopping = checked.platform.stop()
  await clock.advance(100_000)
  await stopping
  const { headers = {} } = events[0]!
  return [Object.keys(headers!), headers!['user-agent']!]
}

async function ordinaryRequest(agent: string): Promise<readonly [readonly string[], string]> {
  const { headers } = (await ask(ok, { lines: [`user-agent: ${agent}`] })).events[0]!
  return [Object.keys(headers!), headers!['user-agent']!]
}

function bodyRules(): readonly ContractCase[] {
  const carried = (line: string, isEncoded: boolean): Sides => {
    const body = Buffer.from('{"a":1}')
    const [name, value] = line.split(': ') as [string, string]
    const event = requestEvent(
      { method: 'POST', path: '/a', headers: [[name, value]], body },
      { targetGroupArn: 'arn', multiValue: false },
    )
    return {
      async function() {
        assert.equal(event.isBase64Encoded, isEncoded)
        assert.equal(Buffer.from(await seen(event, request => request.bytes())).toString(), String(body))
      },
      async platform() {
        const { events } = await ask(ok, { method: 'POST', lines: [line], body })
        assert.deepEqual([events[0]!.body, events[0]!.isBase64Encoded], [event.body, isEncoded])
      },
    }
  }
  return [
    ...['content-type: application/octet-stream', 'content-type: image/png', 'content-encoding: gzip'].map(
      line => keeps('request.base64', line, carried(line, true)),
    ),
    ...['text/csv', 'application/json', 'application/javascript', 'application/xml'].map(type =>
      breaks('request.base64', type, carried(`content-type: ${type}`, false)),
    ),
  ]
}

function modeRules(): readonly ContractCase[] {
  const path = '/a?a=1&a=2'
  const lines = ['x-a: 1', 'x-a: 2']
  const asks = (multiValue: boolean, values: readonly string[]): Sides => ({
    async function() {
      const event = httpEvent('GET', path, { multiValue, headers: { 'x-a': ['1', '2'] } })
      assert.deepEqual(await seen(event, ({ query }) => query.all('a')), values)
      assert.deepEqual(await seen(event, ({ headers }) => headers.all('x-a')), values)
    },
    async platform() {
      const [event] = (await ask(ok, { path, lines, multiValue })).events
      assert.deepEqual(multiValue ? event!.multiValueQueryStringParameters : event!.queryStringParameters, {
        a: multiValue ? values : values[0],
      })
      assert.deepEqual(
        multiValue ? event!.multiValueHeaders!['x-a'] : event!.headers!['x-a'],
        multiValue ? values : values[0],
      )
    },
  })
  const single = httpEvent('GET', '/a')
  const listed = { ...ok, multiValueHeaders: { 'x-a': ['1', '2'] } }
  const takes = (event: LoadBalancerEvent, isMulti: boolean): Sides => ({
    function() {
      assert.equal(isMultiValue(event), isMulti)
      assert.equal(httpVerdict(JSON.stringify(ok), event).kind, isMulti ? 'malformed' : 'answered')
    },
    platform: async () => {
      assert.equal((await setup.refusal(event, ok)) !== undefined, isMulti)
      // In the other mode, this map alone would be ignored.
      assert.equal((await setup.refusal(event, listed)) !== undefined, !isMulti)
    },
  })
  return [
    keeps('request.multi-value-mode', 'repeated names, with the mode on', asks(true, ['1', '2'])),
    breaks('request.multi-value-mode', 'repeated names, with the mode off', asks(false, ['2'])),
    keeps(
      'request.mode-of-an-event',
      'headers beside multiValueQueryStringParameters',
      takes({ ...single, multiValueQueryStringParameters: { a: ['1'] } }, true),
    ),
    keeps(
      'request.mode-of-an-event',
      'multiValueHeaders alone',
      takes({ ...single, multiValueHeaders: { a: ['1'] } }, true),
    ),
    breaks('request.mode-of-an-event', 'neither map', takes(single, false)),
  ]
}

function lineRules(): readonly ContractCase[] {
  const upgrade = [
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: eA==',
  ]
  const upgrades = (lines: readonly string[], status: number): Sides => ({
    function() {
      const headers = Object.fromEntries(lines.map(line => line.split(': ')))
      const verdict = httpVerdict(JSON.stringify(ok), httpEvent('GET', '/', { headers }))
      assert.equal(verdict.status, status)
    },
    platform: async () => assert.equal((await ask(ok, { lines })).response.status, status),
  })
  const withOwn = ['connection: x-own, keep-alive', 'x-own: 1', 'te: trailers', 'x-other: 2']
  return [
    ...(['request.web-socket', 'limits.webSockets'] as const).flatMap(row => [
      keeps(row, 'an upgrade to a WebSocket', upgrades(upgrade, 400)),
      breaks(row, 'another upgrade', upgrades(['connection: upgrade', 'upgrade: h2c'], 200)),
    ]),
    keeps(
      'request.hop-by-hop',
      'headers of the connection',
      reach(withOwn, ['connection', 'x-own', 'te'], false),
    ),
    breaks('request.hop-by-hop', 'another header', reach(withOwn, ['x-other'], true)),
  ]
}

/**
 * Returns checks for a request with these header lines. If `isReached` is true, the function must get every header in
 * `names`. Otherwise, it must get none of them.
 */
function reach(lines: readonly string[], names: readonly string[], isReached: boolean): Sides {
  const found = (headers: object) => names.map(name => name in headers)
  const wanted = names.map(() => isReached)
  return {
    async function() {
      const headers = lines.map(line => line.split(': ') as [string, string])
      const sent = headers.filter(([name]) => !isHopByHop(name) && !connectionOptions(headers)?.has(name))
      assert.deepEqual(found(Object.fromEntries(sent)), wanted)
    },
    platform: async () => assert.deepEqual(found((await ask(ok, { lines })).events[0]!.headers!), wanted),
  }
}
