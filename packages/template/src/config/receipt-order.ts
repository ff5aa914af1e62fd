import { wrongAt } from '../document/template-error.ts'
import { receiptRuleName } from '../resources/resource-names.ts'
import type { Resource } from '../resources/stack.ts'

/**
 * Returns receipt rules in the order of their `After`, and those without one in the order of the template.
 * @param all the rules of the template, also those that are not enabled
 * @throws TemplateError for a rule that is after itself
 */
export function inRuleOrder(rules: readonly Resource[], all: readonly Resource[]): readonly Resource[] {
  const named = new Map(all.map(rule => [receiptRuleName(rule), rule]))
  /** Returns the rules before a rule, the first one first. */
  const before = (rule: Resource): readonly Resource[] => {
    const chain = [rule]
    for (;;) {
      const after = chain[0]!.properties.text('After')
      const previous = after === undefined ? undefined : named.get(after)
      if (previous === undefined) return chain
      if (chain.includes(previous))
        throw wrongAt([...rule.properties.place, 'After'], 'a rule that is not after this one', after!)
      chain.unshift(previous)
    }
  }
  const chains = new Map(all.map(rule => [rule, before(rule).map(each => all.indexOf(each))]))
  return rules.toSorted((one, other) => compared(chains.get(one)!, chains.get(other)!))
}

function compared(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((each, index) => each !== other[index])
  return at < 0 ? one.length - other.length : one[at]! - (other[at] ?? -1)
}
