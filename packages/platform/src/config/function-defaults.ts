import { isPart, type Part } from './part-problems.ts'

/** Seconds that a function has when nothing is said. */
const defaultTimeout = 10

/** Seconds that the contract grants at most (C, limits) when delivery of mail waits for a function. */
export const awaitedTimeout = 15

/** How many events a function may work on at a time when nothing is said. */
export const defaultInstances = 8

type TimedFunctions<F> = { readonly [Name in keyof F]: F[Name] & { readonly timeout: number } }

/**
 * Functions with what they have when nothing is said: ten seconds, and all that the contract grants (C, limits) when
 * delivery of mail waits for them. `functions` and `mail` are parts of a configuration, right or wrong.
 */
export function withDefaultTimeouts<F extends Part>(functions: F, mail: unknown): TimedFunctions<F> {
  const rules = isPart(mail) && Array.isArray(mail.rules) ? mail.rules.filter(isPart) : []
  const awaited = new Set(rules.filter(({ mode = 'sync' }) => mode === 'sync').map(rule => rule.function))
  return Object.fromEntries(
    Object.entries(functions).map(([name, each]) => [
      name,
      isPart(each)
        ? {
            ...each,
            timeout: each.timeout ?? (awaited.has(name) ? awaitedTimeout : defaultTimeout),
          }
        : each,
    ]),
  ) as TimedFunctions<F>
}
