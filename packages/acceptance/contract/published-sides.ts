import assert from 'node:assert/strict'
import { signalbox } from '@signalbox/core'
import type { loadBalancer } from '@signalbox/load-balancer'
import type { LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import { exchange, httpEvent } from '@signalbox/load-balancer/testing'
import { type Asked, ask } from './cases/http-sides.ts'
import type { Sides } from './contract-case.ts'

/** Functions in the manner of guides of the service and of its users, each with its two checks. */
export type Samples = { readonly [name: string]: Sides }
/** Returns checks that a client gets this body, or this status, from a function with a plugin. */
export function replies(plugin: ReturnType<typeof loadBalancer>, asked: Asked, expected: unknown): Sides {
  const handler = signalbox(plugin)
  const { method = 'GET', path = '/', lines = [], body } = asked
  const headers = Object.fromEntries(lines.map(line => line.toLowerCase().split(': ')))
  return {
    async function() {
      const event = httpEvent(method, path, { multiValue: true, headers, ...(body && { body }) })
      const { status, json } = await exchange(handler, event)
      assert.deepEqual(status === 200 ? json : status, expected)
    },
    async platform() {
      const { response } = await ask((event: LoadBalancerEvent) => handler(event), {
        ...asked,
        multiValue: true,
      })
      const answered =
        response.status === 200 ? JSON.parse(Buffer.from(response.body).toString()) : response.status
      assert.deepEqual(answered, expected)
    },
  }
}
