import type { MailAction } from './response.ts'

/**
 * Returns a key for counting unique actions, since equal actions have equal keys. The key depends neither on the order
 * of parameters nor on whether they are missing, null or empty. See docs/contract/mail-flow.md#verdict.unique-actions.
 * @example
 * ```ts
 * import { actionKey } from '@signalbox/mail-flow/contract'
 *
 * actionKey({ type: 'DROP' }) === actionKey({ type: 'DROP', parameters: {} }) // true
 * ```
 */
export function actionKey({ type, parameters }: MailAction): string {
  if (parameters === null || parameters === undefined) return type
  const text = stringify(parameters)
  return text === '{}' ? type : type + text
}

// Returns parameters as JSON with sorted keys, or a new string if they are nested too deeply for JSON.stringify.
function stringify(parameters: object): string {
  try {
    return JSON.stringify(parameters, sorted)
  } catch {
    return ` unreadable ${++unreadable}`
  }
}

let unreadable = 0

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? undefined
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
