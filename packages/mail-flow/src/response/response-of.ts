import { defaultForEveryone, heldBy } from './actions.ts'

/**
 * Returns the response for a decision: the actions of a builder, or DEFAULT for all recipients when the decision is
 * undefined or an empty builder. Any other value is returned unchanged, and checked later.
 */
export function responseOf(decision: unknown): unknown {
  if (decision === undefined || decision === null) return defaultForEveryone()
  if (typeof decision !== 'object') return decision
  const held = heldBy(decision)
  return held === undefined ? decision : (held() ?? defaultForEveryone())
}
