import type { InvocationResult } from '../invoker.ts'
import type { Frame } from './frame.ts'

/**
 * Returns the payload in a frame with a result, and the failure if the function failed. Returns undefined for any other
 * frame, and for a failure without a message.
 */
export function frameResult({
  kind,
  text,
}: Frame): Pick<InvocationResult, 'payload' | 'failure'> | undefined {
  if (kind === 'result') return { payload: text }
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
