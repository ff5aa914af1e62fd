import { DiscardError } from './errors.ts'

/**
 * Gives a message up on purpose: it is reported as done, so the platform deletes it, its group goes on, and
 * `onDiscard` gets the reason. Call it inside a message handler; it works by throwing.
 */
export function discard(reason?: unknown): never {
  throw new DiscardError(reason)
}
