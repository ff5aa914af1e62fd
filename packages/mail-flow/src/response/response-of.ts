import { defaultForEveryone, heldBy } from '../actions/actions.ts'

/**
 * Returns the response of a decision: the actions of a builder, and DEFAULT for all recipients for nothing or an
 * empty builder. Any other value is returned as it is, and checked later.
 */
export function responseOf(decision: unknown): unknown {
  if (decision === undefined || decision === null) return defaultForEveryone()
  if (typeof decision !== 'object') return decision
  const held = heldBy(decision)
  return held === undefined ? decision : (held() ?? defaultForEveryone())
}
