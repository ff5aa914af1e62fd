import type { Read } from '../io-ts/codec-structure.ts'
import { type Place, type Report, refuse } from './report.ts'

/**
 * Parses a string, and returns a place for the parsed value with the same path as the string. Returns undefined if the
 * string is refused.
 */
export function contentOf(read: Read, place: Place, report: Report): Place | undefined {
  const { value } = place
  const found = typeof value === 'string' ? read(value) : undefined
  if (found && 'value' in found) return { ...place, value: found.value }
  refuse(report, place, 'JSON text', 1, found?.refused)
  return undefined
}
