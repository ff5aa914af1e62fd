import { defaultLocation, type Location } from '@signalbox/platform-runtime'

/** The prefixes of a queue's resource name: one for the contract, and one for SQS clients. */
const prefixes = { contract: 'arn:cloud:queue', sqs: 'arn:aws:sqs' } as const

export type ResourceForm = keyof typeof prefixes

/** Returns the resource name of a queue. */
export function resourceName(form: ResourceForm, { region, account }: Location, queue: string): string {
  return `${prefixes[form]}:${region}:${account}:${queue}`
}

/** Returns the resource name of a queue as SQS clients expect it. */
export function sqsResourceName(queue: string, location = defaultLocation): string {
  return resourceName('sqs', location, queue)
}

/** Returns the name of the queue in a resource name. Returns undefined if the resource is not a queue. */
export function queueOfResourceName(resource: string): string | undefined {
  return /^arn:[a-z-]+:(?:sqs|queue):[^:]*:[^:]*:([^:]+)$/.exec(resource)?.[1]
}
