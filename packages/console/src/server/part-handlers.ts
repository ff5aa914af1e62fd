import type { ConsoleContext } from '@signalbox/platform-runtime/console'
import type { Handlers } from './handlers.ts'

const hour = 3_600_000

/** Returns the handler of the route that says what the platform uses, and how much went wrong there in the last hour. */
export function partHandlers({
  parts,
  access,
  platforms,
  invocationLog,
  clock,
}: ConsoleContext): Pick<Handlers, 'parts'> {
  return {
    async parts() {
      const to = clock.wall() + 1
      const from = to - hour
      let failed = 0
      await invocationLog.scan({ from, to }, ({ severity }) => {
        if (severity === 'error') failed++
      })
      const ofSources = await Promise.all(
        parts.map(async ({ name, isUsed, wrong }) => {
          // A source that has not started yet cannot answer.
          const number = isUsed ? await wrong?.(from).catch(() => 0) : 0
          return [name, { isUsed, wrong: number ?? 0 }] as const
        }),
      )
      return {
        ...Object.fromEntries(ofSources),
        functions: { isUsed: true, wrong: failed },
        access: { isUsed: access !== undefined, wrong: 0 },
        platforms: { isUsed: platforms !== undefined, wrong: 0 },
      }
    },
  }
}
