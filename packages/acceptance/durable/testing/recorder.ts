import type { DurableInstrumentationPlugin } from '@aws/durable-execution-sdk-js'

/** A call of a hook: its name and what it got. */
export type Call = readonly [
  hook: keyof DurableInstrumentationPlugin,
  info: Readonly<Record<string, unknown>>,
]

const hooks = [
  ...(['onInvocationStart', 'onInvocationEnd', 'onOperationStart', 'onOperationEnd'] as const),
  ...(['onOperationAttemptStart', 'onOperationAttemptEnd', 'onOperationChange'] as const),
]

/** Returns a plugin that keeps the calls of its hooks, and the calls. Each hook throws, if asked to. */
export function recorder({ throws = false } = {}) {
  const calls: Call[] = []
  const plugin = Object.fromEntries(
    hooks.map(hook => [
      hook,
      async (info: Call[1]) => {
        calls.push([hook, info])
        if (throws) throw new Error('a plugin that is broken')
      },
    ]),
  ) as unknown as DurableInstrumentationPlugin
  plugin.wrapChildContextFn = (info, fn) => {
    calls.push(['wrapChildContextFn', { ...info }])
    return fn()
  }
  return { calls, plugin }
}
