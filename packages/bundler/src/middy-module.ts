import type { ImportDeclaration } from '@babel/types'
import MagicString from 'magic-string'
import { parsed } from './parsed.ts'

/**
 * Returns the production form of a module of `@middy/core`.
 *
 * - Functions of `node:timers` that are also global are not imported, because Node takes long to prepare this module for
 *   an import.
 * - V8 compiles the function `middy` when it parses the bundle.
 *
 * See docs/decisions/bundles-and-publishing.md#functions-parsed-at-once and, in the same page, #bundles-for-production.
 *
 * @returns undefined for a module that stays as it is
 */
export function middyModule(
  path: string,
  code: string,
): { readonly code: string; readonly map: unknown } | undefined {
  const program = parsed(path, code)?.program
  if (program === undefined) return undefined
  const text = new MagicString(code)
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration' && importsGlobals(statement))
      text.remove(statement.start!, statement.end!)
    const made = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (made?.type !== 'VariableDeclaration') continue
    for (const { id, init } of made.declarations) {
      if (id.type !== 'Identifier' || id.name !== 'middy' || init?.type !== 'ArrowFunctionExpression')
        continue
      text.appendLeft(init.start!, '(').appendRight(init.end!, ')')
    }
  }
  return text.hasChanged()
    ? { code: text.toString(), map: text.generateMap({ source: path, hires: true, includeContent: true }) }
    : undefined
}

const globals: ReadonlySet<string> = new Set([
  ...['setTimeout', 'setInterval', 'setImmediate'],
  ...['clearTimeout', 'clearInterval', 'clearImmediate'],
])

/** Returns whether a declaration imports only global functions from `node:timers`, by their own names. */
function importsGlobals({ source, specifiers }: ImportDeclaration): boolean {
  return (
    /^(?:node:)?timers$/.test(source.value) &&
    specifiers.every(
      each =>
        each.type === 'ImportSpecifier' &&
        globals.has(each.local.name) &&
        each.imported.type === 'Identifier' &&
        each.imported.name === each.local.name,
    )
  )
}
