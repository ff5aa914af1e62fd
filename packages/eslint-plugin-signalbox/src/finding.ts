import type { Node } from './syntax.ts'

/** The rules of the plugin. */
export type RuleName =
  | 'batch-response'
  | 'load-balancer-response'
  | 'mail-response'
  | 'trigger-response'
  | 'trigger-returns-event'

/** A mistake in a handler. */
export interface Finding {
  readonly rule: RuleName
  /** Where the mistake is. */
  readonly node: Node
  /** What is wrong, what follows from it, and the row of the contract. */
  readonly message: string
}

/** A page of the contract. */
type Page = 'load-balancer' | 'mail-flow' | 'queue' | 'user-pool'

/** Returns the address of a row of the contract, such as `queue`, `verdict.wrong-key`. */
function rowAddress(page: Page, row: string): string {
  return `https://github.com/signalbox/signalbox/blob/main/docs/contract/${page}.md#${row}`
}

/** Returns a function that makes the findings of a rule. */
export function findingsOf(rule: RuleName, page: Page): (node: Node, text: string, row: string) => Finding {
  return (node, text, row) => ({ rule, node, message: `${text} ${rowAddress(page, row)}` })
}
