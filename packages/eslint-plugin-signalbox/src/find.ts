import { batchFindings } from './batch-response.ts'
import type { Finding } from './finding.ts'
import { handlersOf } from './handlers.ts'
import { loadBalancerFindings } from './load-balancer-response.ts'
import { mailFindings } from './mail-response.ts'
import type { Node } from './syntax.ts'
import { triggerResponseFindings } from './trigger-response.ts'
import { triggerReturnFindings } from './trigger-returns-event.ts'

const known = new WeakMap<Node, readonly Finding[]>()

/** Returns the mistakes in a module, once for all rules. */
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
