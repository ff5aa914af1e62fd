import { isObject } from './translation/shape.ts'

/**
 * Returns a copy of the event that can be changed without changing the original. A user pool gets its original event
 * back, although normalizers change events in place. Copies only the parts that `fromAws` did not copy.
 */
export function mutableCopy(
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
    if (isObject(part) && ownRequest[key] === part) ownRequest[key] = { ...part }
  }
  return own
}
