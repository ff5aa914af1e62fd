import type { ServerResponse } from 'node:http'
import type { Meter } from './meter.ts'

/** Counts a request when its connection has the answer, or is closed without one. */
export type CountRequest = (response: ServerResponse) => void

const classes = ['1xx', '2xx', '3xx', '4xx', '5xx']

/**
 * Returns a function that counts the requests of a listener.
 * @param listener the name of the listener in metrics, from the configuration
 */
export function requestCounts(meter: Meter | undefined, listener: string): CountRequest {
  if (meter === undefined) return () => {}
  const requests = meter.counter(
    'signalbox_listener_requests_total',
    'Requests over HTTP by listener and class of the status. The status is none when the client was gone before the answer.',
  )
  const [none, ...byClass] = ['none', ...classes].map(status => requests.of({ listener, status }))
  // One function for all requests, because a closure would cost more than the count.
  function count(this: ServerResponse): void {
    const counted = this.headersSent ? byClass[Math.trunc(this.statusCode / 100) - 1] : none
    counted?.()
  }
  return response => response.once('close', count)
}
