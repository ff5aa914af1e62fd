import { isObject } from './shape.ts'
import { triggerPlaces } from './table.ts'
import { translation } from './translation.ts'

const responseToAws = translation(triggerPlaces.response, 'toAws')

/**
 * What a function may work on without AWS's event noticing: a user pool gets its event back, and normalizers
 * absorb drift in place. Copies only what `fromAws` did not copy anyway.
 */
export function asItsOwn(
  neutral: Record<string, unknown>,
  event: Record<string, unknown>,
): Record<string, unknown> {
  const own = neutral === event ? { ...event } : neutral
  const { callerContext, request } = event
  if (isObject(callerContext) && own.callerContext === callerContext) own.callerContext = { ...callerContext }
  if (!isObject(request)) return own
  if (own.request === request) own.request = { ...request }
  const ownRequest = own.request as Record<string, unknown>
  for (const key in request) {
    const part = request[key]
    if (isObject(part) && ownRequest[key] === part && key !== '__proto__') ownRequest[key] = { ...part }
  }
  return own
}

/**
 * The answer to a user pool. It looks at nothing but `response`; `callerContext` and `request` go back as they
 * came, drift and all, unless the function put others in their place. Undefined when it did.
 */
export function asItCame(
  result: unknown,
  neutral: Record<string, unknown>,
  event: Record<string, unknown>,
): unknown {
  if (!isObject(result) || !isObject(result.request) || !isObject(result.callerContext)) return undefined
  if (result.request !== neutral.request || result.callerContext !== neutral.callerContext) return undefined
  const answer = { ...result }
  answer.callerContext = event.callerContext
  answer.request = event.request
  if (answer.response !== undefined) answer.response = responseToAws(answer.response)
  return answer
}
