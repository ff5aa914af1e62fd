import type { Reply } from './reply.ts'

/** A change that a middleware makes to a reply. */
export type ReplyChange = (reply: Reply) => Reply

// The registered changes. The event is the key, because all hooks of an invocation share it. Only events with
// errors have entries.
const changes = new WeakMap<object, ReplyChange[]>()

/**
 * Registers a change to the reply that a request gets after an error. `onError` hooks need this function, because the
 * reply does not exist when they run, and creating it would hide the error from later hooks.
 */
export function changeErrorReply(event: object, change: ReplyChange): void {
  const known = changes.get(event)
  if (known) known.push(change)
  else changes.set(event, [change])
}

/** Applies the changes that are registered for an event to its reply, and removes them. */
export function changedErrorReply(event: object, reply: Reply): Reply {
  const registered = changes.get(event)
  if (!registered) return reply
  changes.delete(event)
  return registered.reduce((changed, change) => change(changed), reply)
}
