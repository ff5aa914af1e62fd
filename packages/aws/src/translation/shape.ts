/** The families whose events and answers have names of the provider in them. Mail has none. */
export type Shape = 'trigger' | 'batch' | 'http request'

/** What an event is, told by keys that no translation touches, so that both its forms are told alike. */
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
