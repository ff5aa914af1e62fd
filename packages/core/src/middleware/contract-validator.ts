import type { Problem } from '@signalbox/codec'
import { refusalsOfReady } from '@signalbox/codec/ready'
import { InvalidEventError } from '../errors.ts'
import type { BeforeMiddleware, Family, Request } from '../plugin.ts'
import { namedMiddleware } from './named.ts'

/**
 * Does the same as `validator`, for contracts whose codecs the build has compiled. Plugins use it, because it loads
 * neither `@middy/validator` nor the code that compiles codecs, so that functions start sooner.
 *
 * The hook throws InvalidEventError, whose `cause` has the form of an error of `@middy/validator`.
 *
 * @param refusals returns the problems of an event, or null for a valid event
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { contractValidator } from '@signalbox/core'
 * import { queueFamily } from '@signalbox/queue/family'
 *
 * export const handler = middy().use(contractValidator(queueFamily)).handler(console.log)
 * ```
 */
export function contractValidator(
  family: Family,
  refusals: (event: unknown) => readonly Problem[] | null = event => refusalsOfReady(family.event, event),
): BeforeMiddleware {
  return namedMiddleware(`${family.name}-validator`, {
    before: ({ event }: Request): void => {
      const problems = refusals(event)
      if (problems) throw new InvalidEventError(family.name, problems, { cause: refusal(problems) })
    },
  })
}

function refusal(data: readonly Problem[]): Error {
  const cause = { package: '@middy/validator', data }
  return Object.assign(new Error('Event object failed validation', { cause }), {
    name: 'BadRequestError',
    status: 400,
    statusCode: 400,
    expose: true,
  })
}
