import MagicString from 'magic-string'

/**
 * Matches an import of a package that makes io-ts codecs. Codecs of modules that are not read cannot be compiled, so
 * the bundle needs the code that understands them.
 */
export const usesIoTs = /\b(?:from|require\(|import\()\s*['"](?:io-ts|@signalbox\/codec\/wire)\b/

/** Matches a call that loads io-ts while the module runs. */
export const loadsIoTs = /\b(?:require|import)\(\s*['"](?:io-ts|@signalbox\/codec\/wire)\b/

/** Returns the call that makes a bundle understand io-ts codecs, in the module format of the code that contains them. */
export function understandingOf(code: string): string {
  const name = 'understandIoTs'
  const module = '@signalbox/codec/understand-io-ts'
  return /\bmodule\.exports\b|\bexports\.[\w$]+\s*=|\(exports,/.test(code)
    ? `require('${module}').${name}();`
    : `import { ${name} as $$${name} } from '${module}';$$${name}();`
}

/** Returns the position of the first statement of a module, after a hashbang line and `'use strict'`. */
export function startOf(code: string): number {
  return /^(?:#!.*\n?)?(?:(['"])use strict\1;?)?/.exec(code)![0].length
}

/** Returns a module with a statement before its own. It adds no line. */
export function withStatement(code: string, statement: string): MagicString {
  const start = startOf(code)
  const separator = start > 0 && code[start - 1] !== '\n' ? ';' : ''
  return new MagicString(code).appendLeft(start, separator + statement)
}
