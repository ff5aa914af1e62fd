import { createRequire } from 'node:module'

/** A place in a module that needs a package that is not installed. */
export interface MissingParser {
  readonly sentence: string
  readonly at: { readonly line: number; readonly column: number }
}

/**
 * Returns the place at which a module parses a mail although `postal-mime` is not installed, so that no bundle can contain
 * it. esbuild itself does not report a missing package that is imported in a `try` block.
 */
export function missingParser(path: string, code: string): MissingParser | undefined {
  if (!/['"]@signalbox\/mail-flow['"]/.test(code) || /\b(?:parseMessage|parser)\b/.test(code))
    return undefined
  const use = /\.parsed\(|\bparseMail\(/.exec(code)
  if (use === null || isInstalled(path)) return undefined
  const before = code.slice(0, use.index).split('\n')
  return {
    sentence: `${use[0].startsWith('.') ? 'mail' : ''}${use[0]}) needs the package postal-mime, which is not installed. Run npm install postal-mime, or give mailFlow() the option parseMessage.`,
    at: { line: before.length, column: before.at(-1)!.length },
  }
}

function isInstalled(path: string): boolean {
  try {
    createRequire(path).resolve('postal-mime')
    return true
  } catch {
    return false
  }
}
