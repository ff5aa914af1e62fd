import type { InvocationContext } from '@signalbox/core'
import { errorPayload } from '@signalbox/core/payload'
import { invocationContext } from '@signalbox/core/testing'
import { type HttpVerdict, httpVerdict, type LoadBalancerEvent } from '../contract/index.ts'

/** The response that the client gets, and the load balancer's verdict from which it is made. */
export interface Exchange {
  readonly verdict: HttpVerdict
  readonly status: number
  /** Returns every value of a header, whose name may be in any case. */
  readonly header: (name: string) => readonly string[]
  readonly text: string
  /**
   * The body, parsed as JSON. If the body is not JSON, reading this field throws a TypeError that quotes the
   * body, and the error of a handler that failed.
   */
  readonly json: unknown
}

/**
 * Calls a handler as the platform does, with the event and the payload as JSON, and returns the response of the load
 * balancer. When the handler fails, the response is a 502.
 * @example const { status, json } = await exchange(handler, httpEvent('GET', '/orders/7'))
 */
export async function exchange(
  handler: (event: LoadBalancerEvent, context: InvocationContext) => unknown,
  event: LoadBalancerEvent,
  context: InvocationContext = invocationContext(),
): Promise<Exchange> {
  let payload: string
  let failure: { readonly error: unknown } | undefined
  try {
    payload = JSON.stringify(await handler(JSON.parse(JSON.stringify(event)), context)) ?? ''
  } catch (error) {
    failure = { error }
    payload = errorPayload(error)
  }
  const verdict = httpVerdict(payload, event)
  const text = Buffer.from(verdict.body).toString()
  return {
    verdict,
    status: verdict.status,
    header: name =>
      verdict.headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value),
    text,
    get json() {
      try {
        return JSON.parse(text)
      } catch (cause) {
        const content = text === '' ? 'empty' : JSON.stringify(text.slice(0, 100))
        const why = failure === undefined ? '' : `. The handler failed: ${String(failure.error)}`
        throw new TypeError(`The body of this ${verdict.status} is not JSON: it is ${content}${why}`, {
          cause: failure?.error ?? cause,
        })
      }
    },
  }
}
