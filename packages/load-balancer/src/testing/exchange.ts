import type { InvocationContext } from '@signalbox/core'
import { errorPayload } from '@signalbox/core/payload'
import { invocationContext } from '@signalbox/core/testing'
import { type HttpVerdict, httpVerdict, type LoadBalancerEvent } from '../contract/index.ts'

/** What comes back to the client, and a few ways to look at it. */
export interface Exchange {
  readonly verdict: HttpVerdict
  readonly status: number
  /** Every value of a header. */
  readonly header: (name: string) => readonly string[]
  readonly text: string
  /** The body as JSON. Throws if it is none. */
  readonly json: unknown
}

/**
 * Calls a handler as the platform does, with what JSON can carry, and tells what the load balancer makes of the
 * answer: a handler that fails is a 502.
 */
export async function exchange(
  handler: (event: LoadBalancerEvent, context: InvocationContext) => unknown,
  event: LoadBalancerEvent,
  context: InvocationContext = invocationContext(),
): Promise<Exchange> {
  let payload: string
  try {
    payload = JSON.stringify(await handler(JSON.parse(JSON.stringify(event)), context)) ?? ''
  } catch (error) {
    payload = errorPayload(error)
  }
  const verdict = httpVerdict(payload, event)
  const text = Buffer.from(verdict.body).toString()
  return {
    verdict,
    status: verdict.status,
    header: name => verdict.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value),
    text,
    get json() {
      return JSON.parse(text)
    },
  }
}
