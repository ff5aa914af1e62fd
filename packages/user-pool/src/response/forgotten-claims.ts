import { type Invocation, type InvocationContext, isThenable } from '@signalbox/core'
import type { TriggerEvent } from '../contract/index.ts'

type Route = (event: TriggerEvent, context: InvocationContext, invocation: Invocation) => unknown

/** The number of claims builders that this process has made. */
export const claimsCount = { value: 0 }

/**
 * Wraps a route for development and tests, so that it warns when it calls `claims()` but returns undefined. The wrapper
 * is not for production, where overlapping invocations in one process would count each other's builders.
 */
export function warnOfForgottenClaims(key: string, route: Route): Route {
  return function warning(event, context, invocation) {
    const before = claimsCount.value
    const warned = (answer: unknown) => {
      if (claimsCount.value > before && (answer === undefined || answer === null))
        console.warn(`${key}: the route calls claims() and returns nothing. Return claims()….for(event).`)
      return answer
    }
    const answer = route(event, context, invocation)
    return isThenable(answer) ? answer.then(warned) : warned(answer)
  }
}
