import type { MailAction } from './response.ts'

/**
 * What makes two actions one when unique actions are counted (contract, Errors, "more than 10 unique actions"):
 * the same type and the same parameters, in whatever order. No parameters are the same as none that say anything.
 */
export function actionKey({ type, parameters }: MailAction): string {
  if (parameters === null || parameters === undefined) return type
  const text = stringify(parameters)
  return text === '{}' ? type : type + text
}

// Parameters that nest too deeply to be written down are their own key, so that they equal only themselves.
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
