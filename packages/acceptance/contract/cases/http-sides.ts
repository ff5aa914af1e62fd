import assert from 'node:assert/strict'
import { serialize } from '@signalbox/load-balancer'
import { httpVerdict, type LoadBalancerEvent, type Method } from '@signalbox/load-balancer/contract'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { startBalancer } from '@signalbox/platform-load-balancer/testing/running-balancer'
import { type RawResponse, talk } from '@signalbox/platform-runtime/testing/raw-client'
import type { Sides } from '../contract-case.ts'

/** A minimal valid answer. */
export const ok = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false }

/** The request that a client sends in a check. */
export interface Asked {
  readonly method?: Method
  /** Additional header lines after `host`. */
  readonly lines?: readonly string[]
  readonly path?: string
  readonly body?: string | Buffer
  readonly multiValue?: boolean
}

/** The response to a client, and the events that the function got. */
export interface Asking {
  readonly response: RawResponse
  readonly events: readonly LoadBalancerEvent[]
}

/** Sends a request to a load balancer whose function returns this answer and does not use the plugin. */
export async function ask(answer: unknown, asked: Asked = {}): Promise<Asking> {
  const { method = 'GET', lines = [], path = '/', body = '', multiValue = false } = asked
  const events: LoadBalancerEvent[] = []
  await using setup = await startBalancer(
    (event: LoadBalancerEvent) => {
      events.push(event)
      return typeof answer === 'function' ? answer(event) : answer
    },
    { multiValueHeaders: multiValue },
  )
  const length = body.length === 0 ? [] : [`content-length: ${Buffer.byteLength(body)}`]
  const head = [`${method} ${path} HTTP/1.1`, 'host: shop.example', ...lines, ...length, '', ''].join('\r\n')
  const heads = method === 'HEAD' ? [0] : []
  const { responses } = await talk(setup.url, [head, body], { heads })
  return { response: responses[0]!, events }
}

/** The status, header lines and body that a client must get. */
export interface Expected {
  readonly status: number
  /** The header lines from the answer, with names in lower case. */
  readonly lines?: readonly (readonly [name: string, value: string])[]
  readonly body?: string
}

// The headers that the load balancer adds itself.
const ownHeaders = ['date', 'connection', 'keep-alive', 'content-length', 'content-type', 'server']

function shown({
  status,
  headers,
  body,
}: Pick<RawResponse, 'status' | 'headers'> & { body: Uint8Array }): Expected {
  const lines = headers.map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    status,
    lines: lines.filter(([name]) => !ownHeaders.includes(name)),
    body: Buffer.from(body).toString(),
  }
}

/** Returns two checks: the plugin accepts this answer, and the client gets this response. */
export function answers(answer: object, expected: Expected, asked: Asked = {}): Sides {
  const wanted = { lines: [], body: '', ...expected }
  const { method = 'GET', multiValue = false } = asked
  return {
    function() {
      const event = httpEvent(method, '/', { multiValue })
      const { text, body, ...verdict } = httpVerdict(JSON.stringify(serialize(answer, event)), event)
      assert.deepEqual(shown({ ...verdict, body: text === undefined ? body : Buffer.from(text) }), wanted)
    },
    platform: async () => assert.deepEqual(shown((await ask(answer, asked)).response), wanted),
  }
}

/** Returns two checks: the plugin refuses this answer, and the client gets a 502. */
export function isMalformed(answer: object, why: RegExp, asked: Asked = {}): Sides {
  const { method = 'GET', multiValue = false } = asked
  return {
    function: () => assert.throws(() => serialize(answer, httpEvent(method, '/', { multiValue })), why),
    platform: async () => assert.equal((await ask(answer, asked)).response.status, 502),
  }
}
