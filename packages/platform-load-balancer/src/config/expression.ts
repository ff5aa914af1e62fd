import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'

let engine: typeof RE2JS | undefined

/**
 * Compiles a regular expression of a rule. Its time grows with the length of a text, whatever the expression and the text.
 * @param anyCase whether letters match in any case
 * @throws Error for an expression with lookaround, backreferences, or another mistake
 */
export function expression(text: string, anyCase = false): RE2JS {
  // Only rules with expressions load the engine.
  engine ??= (createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }).RE2JS
  return engine.compile(text, anyCase ? engine.CASE_INSENSITIVE : 0)
}

/** What an expression has to be. */
export const expectedExpression = 'a regular expression of RE2, without lookaround and backreferences'

/** Returns whether a text is a regular expression. */
export function isExpression(text: string): boolean {
  try {
    expression(text)
    return true
  } catch {
    return false
  }
}

/** Returns what is wrong with an expression and its replacement, or undefined. */
export function expressionProblem(
  regex: string,
  replace: string,
): { readonly key: 'regex' | 'replace'; readonly expected: string } | undefined {
  let groups: number
  try {
    groups = expression(regex).groupCount()
  } catch {
    return {
      key: 'regex',
      expected: expectedExpression,
    }
  }
  const named = [...replace.matchAll(/\$(\$|\d)?/g)].map(([, name]) => name)
  if (named.includes(undefined)) return { key: 'replace', expected: '$$ for a dollar, or a group such as $1' }
  const missing = named.some(name => name !== '$' && Number(name) > groups)
  return missing
    ? { key: 'replace', expected: `groups that the expression has: at most $${groups}` }
    : undefined
}
