import type { Problem } from '@signalbox/codec'
import { refusalsOfReady } from '@signalbox/codec/ready'
import { InvalidEventError } from '../errors.ts'
import { notAnAnswer } from '../not-an-answer.ts'
import type { BeforeMiddleware, Family, Request } from '../plugin.ts'
import { named } from './named.ts'

/**
 * The same as `validator`, for contracts whose codecs a build has made ready. Families use it inside of their plugins: it loads neither
 * `@middy/validator` nor the code that compiles codecs, so that functions start sooner.
 *
 * @param refusals the problems of an event, or null
 *
 * Its hook throws InvalidEventError, whose `cause` has the form of the validator's own error.
 */
export function contractValidator(
  family: Family,
  refusals: (event: unknown) => readonly Problem[] | null = event => refusalsOfReady(family.event, event),
): BeforeMiddleware {
  return notAnAnswer('a middleware', {
    name: `${family.name}-validator`,
    before: named(`${family.name}-validator`, ({ event }: Request): void => {
      const problems = refusals(event)
      if (problems) throw new InvalidEventError(family.name, problems, { cause: refusal(problems) })
    }),
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
