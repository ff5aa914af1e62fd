import type { Reply } from './reply.ts'

/** A change that a middleware makes to a reply. */
export type ReplyChange = (reply: Reply) => Reply

// Keyed by the event, which all hooks of an invocation share, in groups and outside. Written on errors only.
const changes = new WeakMap<object, ReplyChange[]>()

/**
 * Registers a change to the reply that an error of this request will become. For `onError` hooks: the reply does not exist
 * when they run, and creating it would hide the error from later hooks.
 */
export function changeErrorReply(event: object, change: ReplyChange): void {
  const known = changes.get(event)
  if (known) known.push(change)
  else changes.set(event, [change])
}

/** Applies the registered changes, once. */
export function changedErrorReply(event: object, reply: Reply): Reply {
  const registered = changes.get(event)
  if (!registered) return reply
  changes.delete(event)
  return registered.reduce((changed, change) => change(changed), reply)
}
