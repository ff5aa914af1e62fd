const frame = /^ {4}at /
const ofNode = /(?:^ {4}at |[( ])node:/
const ours = new URL('../', import.meta.url).href

/**
 * What shows the place of an error to whoever has to mend it: its stack, without the frames of Node and of the
 * platform. Empty for what has no stack, and for a denial, which is an answer. Never throws.
 */
export function whereabouts(error: unknown): string {
  try {
    if (!(error instanceof Error) || (error as { readonly code?: unknown }).code === 'DENIED') return ''
    return String(error.stack ?? '')
      .split('\n')
      .filter(line => !frame.test(line) || !(ofNode.test(line) || line.includes(ours)))
      .join('\n')
  } catch {
    return ''
  }
}
