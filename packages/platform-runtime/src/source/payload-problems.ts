import { type Problem, problems } from '@signalbox/codec'
import type { Mixed } from 'io-ts'

/**
 * Returns the places where a payload breaks the codec of its family's results. Empty for a payload that is not JSON.
 */
export function payloadProblems(codec: Mixed, payload: string): readonly Problem[] {
  try {
    return problems(codec, JSON.parse(payload))
  } catch {
    return []
  }
}
