import { type Problem, problems } from '@signalbox/codec'
import type { Mixed } from 'io-ts'

/**
 * Returns the places where a payload does not match the result type of the event family. The list is empty for a
 * payload that is not JSON.
 */
export function payloadProblems(codec: Mixed, payload: string): readonly Problem[] {
  try {
    return problems(codec, JSON.parse(payload))
  } catch {
    return []
  }
}
