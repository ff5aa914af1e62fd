import type { Call, InvocationResult } from '../invoker.ts'
import { readLongTextResult } from '../result/long-text-result.ts'
import type { Frame } from './frame.ts'

/**
 * Returns the result in a frame, and the failure if the function failed. Returns undefined for any other frame, and for
 * a frame that is malformed or does not fit the call.
 */
export function frameResult(
  { kind, text }: Frame,
  { takesValue = false }: Call,
): Pick<InvocationResult, 'payload' | 'value' | 'failure'> | undefined {
  if (kind === 'result') return { payload: text }
  if (kind === 'long-text') return takesValue ? readLongTextResult(text) : undefined
  const end = text.indexOf('\n')
  const message = kind === 'failed' ? messageOf(text.slice(0, end)) : undefined
  return message === undefined
    ? undefined
    : { payload: text.slice(end + 1), failure: { kind: 'threw', message } }
}

function messageOf(json: string): string | undefined {
  try {
    const message = JSON.parse(json) as unknown
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
