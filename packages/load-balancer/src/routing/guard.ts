import { kindOf } from '@signalbox/codec'
import { InvalidOptionError, type InvocationContext, notAnAnswer, type Request } from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { type HttpRequest, isRequestField } from '../request/http-request.ts'
import { type Answer, isAnswer } from '../response/reply.ts'

/** The request that a guard gets: the request of the route before codecs decode it. */
export type GuardedRequest = HttpRequest<{ readonly [name: string]: string }>

/**
 * The fields that a guard adds to the request of a route. They are the fields of the object that it returns, unless
 * that object is an answer.
 */
export type GuardFields<Result> = [FieldsIn<Result>] extends [never] ? unknown : FieldsIn<Result>

type FieldsIn<Result> = Exclude<Extract<Awaited<Result>, object>, Answer>

/**
 * Runs a guard.
 * @param earlier the fields that other guards have added to the request
 * @returns the answer that the guard gives instead of the route, or all fields that guards have added to the request
 * @throws the error of the guard, and TypeError for a result that cannot be added to the request
 */
type RunGuard = (
  request: GuardedRequest,
  context: InvocationContext,
  earlier: object | undefined,
) => Promise<{ readonly answer: Answer } | { readonly fields: object | undefined }>

/**
 * Decides whether a request can reach a route, and adds fields to the request. Use the function `guard` to make a
 * guard.
 */
export interface Guard<Fields = unknown> {
  readonly name: string
  /** This property gives a guard the type of a middleware, so that a group accepts it. Calling it throws an error. */
  readonly before: (request: Request<LoadBalancerEvent>) => never
  readonly run: RunGuard
  /** The type of the fields that the guard adds to the request. This property has no value. */
  readonly fields?: Fields
}

/**
 * Makes a guard for the middlewares of a `group` or for the input of a route. The guard gets the same request
 * as the route. The fields of the object that it returns are added to that request. A guard refuses a request
 * by throwing an `HttpError`, or by returning an answer, such as `redirect('/sign-in')`.
 *
 * Automatic answers to OPTIONS do not run guards, because browsers send preflights without credentials.
 *
 * @example
 * const signedIn = guard(async ({ cookies }) => {
 *   const user = await userOf(cookies['__Host-session'])
 *   if (user === undefined) throw new HttpError(401, 'Sign in first')
 *   return { user }
 * })
 *
 * get('/me', { guard: signedIn }, ({ user }) => json(user))
 * group('/admin', [signedIn], ({ get }) => [get('/me', ({ user }) => json(user))])
 *
 * @throws InvalidOptionError when `check` is not a function
 */
export function guard<Result>(
  check: (request: GuardedRequest, context: InvocationContext) => Result,
): Guard<GuardFields<Result>> {
  if (typeof check !== 'function') {
    throw new InvalidOptionError(`guard() takes a function of the request, not ${kindOf(check)}`)
  }
  const run: RunGuard = async (request, context, earlier) => {
    const result: unknown = await check(request, context)
    if (result === undefined || result === null) return { fields: earlier }
    if (isAnswer(result)) return { answer: result }
    if (typeof result !== 'object') {
      throw new TypeError(`A guard returned ${kindOf(result)}, expected an object, such as { user }`)
    }
    const taken = Object.keys(result).find(isRequestField)
    if (taken !== undefined) {
      throw new TypeError(
        `A guard returned the field ${taken}, which every request has. Give it another name.`,
      )
    }
    return { fields: { ...earlier, ...result } }
  }
  return notAnAnswer('a guard', { name: 'guard', before: outsideOfGroup, run })
}

// Throws, because a middy stack does not have the parameters and the settings of a route.
function outsideOfGroup(): never {
  throw new InvalidOptionError('guard() is for group() and for the input of a route: put it there')
}

/** Returns whether a middleware is a guard. */
export function isGuard(middleware: object): middleware is Guard {
  return 'run' in middleware
}
