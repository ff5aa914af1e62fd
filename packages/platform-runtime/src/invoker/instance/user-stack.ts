const frame = /^ {4}at /
const ofNode = /(?:^ {4}at |[( ])node:/
const ours = new URL('../../', import.meta.url).href

/** The maximum number of causes that are shown. */
const depth = 4

/**
 * Returns the stacks of an error and of its causes, without the frames of Node and of the platform. The result is empty
 * for a value without a stack, and for a denial, which is not a failure. Never throws.
 */
export function userStack(error: unknown): string {
  const stacks: string[] = []
  try {
    if ((error as { readonly code?: unknown } | undefined)?.code === 'DENIED') return ''
    for (let each = error; each instanceof Error && stacks.length < depth; each = each.cause)
      if (each.stack !== undefined) stacks.push(withoutOthers(String(each.stack)))
  } catch {
    // A getter of the error threw.
  }
  return stacks.join('\nCaused by ')
}

function withoutOthers(stack: string): string {
  return stack
    .split('\n')
    .filter(line => !frame.test(line) || !(ofNode.test(line) || line.includes(ours)))
    .join('\n')
}
