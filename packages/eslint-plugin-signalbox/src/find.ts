import { batchFindings } from './batch-response.ts'
import type { Finding } from './finding.ts'
import { handlersOf } from './handlers.ts'
import { loadBalancerFindings } from './load-balancer-response.ts'
import { mailFindings } from './mail-response.ts'
import type { Node } from './syntax.ts'
import { triggerResponseFindings } from './trigger-response.ts'
import { triggerReturnFindings } from './trigger-returns-event.ts'

const known = new WeakMap<Node, readonly Finding[]>()

/**
 * Returns the mistakes that all rules find in a module. A second call with the same tree returns the same list.
 *
 * @param program the `Program` of an ESTree syntax tree, such as `@babel/parser` makes with its plugin `estree`. Nodes for
 * TypeScript are read, too, and the types of JSDoc if the tree has `comments`, as that of ESLint has.
 * @example
 * ```ts
 * import { parse } from '@babel/parser'
 * import { findingsIn, type Node } from 'eslint-plugin-signalbox/findings'
 *
 * const { program } = parse('export const handler = async event => {}', { sourceType: 'module', plugins: ['estree'] })
 * for (const { rule, message } of findingsIn(program as unknown as Node)) console.log(rule, message)
 * ```
 */
export function findingsIn(program: Node): readonly Finding[] {
  const before = known.get(program)
  if (before !== undefined) return before
  const handlers = handlersOf(program)
  const findings = [
    ...batchFindings(program, handlers),
    ...loadBalancerFindings(handlers),
    ...mailFindings(program),
    ...triggerResponseFindings(handlers),
    ...triggerReturnFindings(handlers),
  ]
  const unique = findings.filter(
    ({ node, message }, at) =>
      findings.findIndex(each => each.node === node && each.message === message) === at,
  )
  known.set(program, unique)
  return unique
}
