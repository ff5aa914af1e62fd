import type { QueueStore } from '../store/queue-store.ts'

/** Printable ASCII, as trace headers are, and not too much of it. */
const traceHeader = /^[\x20-\x7e]{1,1024}$/

/** A store in which messages without a trace header get that of the request with which they are sent. */
export function tracedStore<S extends QueueStore>(store: S, header: string | string[] | undefined): S {
  if (typeof header !== 'string' || !traceHeader.test(header)) return store
  return {
    ...store,
    send: (queue, messages) =>
      store.send(
        queue,
        messages.map(message => ({ ...message, traceHeader: message.traceHeader ?? header })),
      ),
  }
}
