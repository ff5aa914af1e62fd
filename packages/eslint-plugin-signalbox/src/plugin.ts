import type { ESLint, Linter, Rule } from 'eslint'
import { findingsIn } from './find.ts'
import type { RuleName } from './finding.ts'
import type { Node } from './syntax.ts'

/** What each rule finds, and the page of the contract that says why. */
const descriptions = {
  'batch-response': ['answers to batches of SQS that lose or repeat messages', 'queue'],
  'load-balancer-response': [
    'answers to a load balancer that become the status 502 or lose headers',
    'load-balancer',
  ],
  'mail-response': ['decisions about mail that have another effect than the one written', 'mail-flow'],
  'trigger-response': ['fields of an answer that belong to another trigger of a user pool', 'user-pool'],
  'trigger-returns-event': ['handlers of user-pool triggers that do not return the event', 'user-pool'],
} as const satisfies { readonly [N in RuleName]: readonly [description: string, page: string] }

const rules: Record<string, Rule.RuleModule> = Object.fromEntries(
  Object.entries(descriptions).map(([name, [description, page]]) => [name, ruleOf(name, description, page)]),
)

function ruleOf(name: string, description: string, page: string): Rule.RuleModule {
  const url = `https://github.com/signalbox/signalbox/blob/main/docs/contract/${page}.md`
  return {
    meta: { type: 'problem', docs: { description: `Finds ${description}`, url }, schema: [] },
    create: context => ({
      Program(program) {
        for (const { rule, node, message } of findingsIn(program as unknown as Node))
          if (rule === name) context.report({ node: node as unknown as Rule.Node, message })
      },
    }),
  }
}

const plugin: ESLint.Plugin = { meta: { name: 'eslint-plugin-signalbox', namespace: 'signalbox' }, rules }

const recommended: Linter.Config = {
  name: 'signalbox/recommended',
  plugins: { signalbox: plugin },
  rules: Object.fromEntries(Object.keys(descriptions).map(name => [`signalbox/${name}`, 'error'])),
}

/**
 * The plugin for ESLint with flat configuration. `configs.recommended` switches all rules on. The rules need no types,
 * and speak only where a handler surely gets events of their family.
 * @example
 * ```ts
 * import { defineConfig } from 'eslint/config'
 * import { signalbox } from 'eslint-plugin-signalbox'
 *
 * export default defineConfig([signalbox.configs.recommended])
 * ```
 */
export const signalbox: ESLint.Plugin & { readonly configs: { readonly recommended: Linter.Config } } = {
  ...plugin,
  configs: { recommended },
}
