import { defaultForEveryone, heldBy } from './actions.ts'

/**
 * What a decision means as a response: what a builder holds, and DEFAULT for everyone for nothing at all and for a
 * builder that nothing was asked of. Anything else is passed on as it is, to be checked.
 */
export function responseOf(decision: unknown): unknown {
  if (decision === undefined || decision === null) return defaultForEveryone()
  if (typeof decision !== 'object') return decision
  const held = heldBy(decision)
  return held === undefined ? decision : (held() ?? defaultForEveryone())
}
