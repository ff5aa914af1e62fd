import type { Reply } from './reply.ts'

/** What a middleware does to a reply. */
export type ReplyChange = (reply: Reply) => Reply

// By event, since that is what all hooks of an invocation see, in groups and outside. Written on errors only.
const changes = new WeakMap<object, ReplyChange[]>()

/**
 * Has a change made to the answer that an error of this request will become. For `onError` hooks: when they run,
 * that answer is not there yet, and making it would hide the error from those that come after.
 */
export function changeErrorReply(event: object, change: ReplyChange): void {
  const known = changes.get(event)
  if (known) known.push(change)
  else changes.set(event, [change])
}

/** Makes the changes that were asked for, once. */
export function changedErrorReply(event: object, reply: Reply): Reply {
  const wanted = changes.get(event)
  if (!wanted) return reply
  changes.delete(event)
  return wanted.reduce((changed, change) => change(changed), reply)
}
