import { defaultLocation, type Location } from '@signalbox/platform-runtime'

/** The two forms of a queue's resource name: the contract's, and the one that clients of SQS expect. */
const prefixes = { contract: 'arn:cloud:queue', sqs: 'arn:aws:sqs' } as const

export type ResourceForm = keyof typeof prefixes

/** How a queue is named in every region and account. */
export function resourceName(form: ResourceForm, { region, account }: Location, queue: string): string {
  return `${prefixes[form]}:${region}:${account}:${queue}`
}

/** The resource name of a queue, in the words that clients of the protocol expect. */
export function sqsResourceName(queue: string, location = defaultLocation): string {
  return resourceName('sqs', location, queue)
}

/** The queue of a resource name; undefined when that is not one of a queue. */
export function queueOfResourceName(resource: string): string | undefined {
  return /^arn:[a-z-]+:(?:sqs|queue):[^:]*:[^:]*:([^:]+)$/.exec(resource)?.[1]
}
