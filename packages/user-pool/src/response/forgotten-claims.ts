import type { AsyncLocalStorage } from 'node:async_hooks'
import { type Invocation, type InvocationContext, isThenable } from '@signalbox/core'
import type { TriggerEvent } from '../contract/index.ts'

type Route = (event: TriggerEvent, context: InvocationContext, invocation: Invocation) => unknown

/** One call of a wrapped route. */
interface Call {
  hasClaims: boolean
}

/** Finds the call in which code runs, because calls overlap. It is undefined in production, where no route is wrapped. */
let calls: AsyncLocalStorage<Call> | undefined

/** Notes that the route that is running has called `claims()`. */
export function noteClaims(): void {
  const call = calls?.getStore()
  if (call) call.hasClaims = true
}

/**
 * Wraps a route for development and tests, so that it warns when it calls `claims()` but returns undefined. The wrapper
 * is not for production, because it costs more than the route.
 */
export function warnOfForgottenClaims(key: string, route: Route): Route {
  calls ??= new (process.getBuiltinModule('node:async_hooks').AsyncLocalStorage)()
  const all = calls
  return function warning(event, context, invocation) {
    const call: Call = { hasClaims: false }
    const warned = (answer: unknown) => {
      if (call.hasClaims && (answer === undefined || answer === null))
        console.warn(`${key}: the route calls claims() and returns nothing. Return claims()….for(event).`)
      return answer
    }
    const answer = all.run(call, () => route(event, context, invocation))
    return isThenable(answer) ? answer.then(warned) : warned(answer)
  }
}
