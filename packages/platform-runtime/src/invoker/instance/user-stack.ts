import { thrownText } from '@signalbox/core/payload'
import { codeFolder } from '../../own-code.ts'

const frame = /^ {4}at /
const ofNode = /(?:^ {4}at |[( ])node:/
const ours = codeFolder.href

/** The maximum number of causes that are shown. */
const depth = 4

/** The maximum number of errors that are shown of an AggregateError. */
const mostErrors = 5

/**
 * Returns the stacks of an error, of its causes and of the errors of an AggregateError, without the frames of Node and of the platform. The result is empty
 * for a value without a stack, and for a denial, which is not a failure. Never throws.
 */
export function userStack(error: unknown): string {
  const stacks: string[] = []
  try {
    if ((error as { readonly code?: unknown } | undefined)?.code === 'DENIED') return ''
    let each = error
    for (let level = 0; each instanceof Error && level < depth; level++) {
      if (each.stack !== undefined)
        stacks.push(`${stacks.length === 0 ? '' : 'Caused by '}${withoutOthers(String(each.stack))}`)
      const errors: readonly unknown[] = each instanceof AggregateError ? each.errors : []
      for (const one of errors.slice(0, mostErrors))
        stacks.push(
          `One of its errors: ${one instanceof Error ? withoutOthers(String(one.stack)) : thrownText(one)}`,
        )
      each = each.cause
    }
  } catch {
    // A getter of the error threw.
  }
  return stacks.join('\n')
}

function withoutOthers(stack: string): string {
  return stack
    .split('\n')
    .filter(line => !frame.test(line) || !(ofNode.test(line) || line.includes(ours)))
    .join('\n')
}
