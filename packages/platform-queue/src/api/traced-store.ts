import type { QueueStore } from '../store/queue-store.ts'

/** Matches the values that a trace header may have: printable ASCII of limited length. */
const traceHeader = /^[\x20-\x7e]{1,1024}$/

/** Returns a store that adds the trace header of the HTTP request to messages that have none. */
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
