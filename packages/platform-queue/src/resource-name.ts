import type { Location } from '@signalbox/platform-runtime'

/** The two forms of a queue's resource name: the contract's, and the one that clients of SQS expect. */
const prefixes = { contract: 'arn:cloud:queue', sqs: 'arn:aws:sqs' } as const

export type ResourceForm = keyof typeof prefixes

/** How a queue is named in every region and account. */
export function resourceName(form: ResourceForm, { region, account }: Location, queue: string): string {
  return `${prefixes[form]}:${region}:${account}:${queue}`
}
