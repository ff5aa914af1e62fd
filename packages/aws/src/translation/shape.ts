/** The families whose events and results contain provider names. Mail events contain none. */
export type Shape = 'trigger' | 'batch' | 'http request'

/**
 * Returns the shape of an event. It depends only on keys that no translation changes, so that both forms have the
 * same shape.
 */
export function shapeOf(event: unknown): Shape | undefined {
  if (!isObject(event)) return undefined
  if (typeof event.triggerSource === 'string') return 'trigger'
  if (Array.isArray(event.Records)) return 'batch'
  if (isObject(event.requestContext) && isObject(event.requestContext.elb)) return 'http request'
  return undefined
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
