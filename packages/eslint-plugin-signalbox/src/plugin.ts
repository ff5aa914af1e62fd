import { findingsIn } from './find.ts'
import type { RuleName } from './finding.ts'
import type { Node } from './syntax.ts'

/** A rule in the form that ESLint takes. The types are not those of ESLint, which need not be installed. */
interface EslintRule {
  readonly meta: {
    readonly type: 'problem'
    readonly docs: { readonly description: string; readonly url: string }
    readonly schema: never[]
  }
  readonly create: (context: { report(found: { node: never; message: string }): void }) => {
    readonly Program: (program: unknown) => void
  }
}

/** A plugin in the form that ESLint takes. */
interface EslintPlugin {
  readonly meta: { readonly name: string; readonly namespace: string }
  readonly rules: Record<string, EslintRule>
}

/** A configuration in the form that ESLint takes. */
interface EslintConfig {
  readonly name: string
  readonly plugins: Record<string, EslintPlugin>
  readonly rules: Record<string, 'error'>
}

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

const rules: Record<string, EslintRule> = Object.fromEntries(
  Object.entries(descriptions).map(([name, [description, page]]) => [name, ruleOf(name, description, page)]),
)

function ruleOf(name: string, description: string, page: string): EslintRule {
  const url = `https://github.com/signalbox/signalbox/blob/main/docs/contract/${page}.md`
  return {
    meta: { type: 'problem', docs: { description: `Finds ${description}`, url }, schema: [] },
    create: context => ({
      Program(program) {
        for (const { rule, node, message } of findingsIn(program as Node))
          if (rule === name) context.report({ node: node as never, message })
      },
    }),
  }
}

const plugin: EslintPlugin = { meta: { name: 'eslint-plugin-signalbox', namespace: 'signalbox' }, rules }

const recommended: EslintConfig = {
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
export const signalbox: EslintPlugin & { readonly configs: { readonly recommended: EslintConfig } } = {
  ...plugin,
  configs: { recommended },
}
