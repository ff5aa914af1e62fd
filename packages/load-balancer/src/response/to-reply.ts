import { kindOf } from '@signalbox/codec'
import { InvalidResponseError, isThenable } from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import type { Reply } from './reply.ts'
import { withOneMap } from './reply-headers.ts'
import { replyOf } from './reply-of.ts'
import { misspeltField } from './unknown-fields.ts'

/**
 * Turns the return value of a handler into a reply with one header map. An error that is returned is thrown.
 * @throws InvalidResponseError for a value that is neither a reply nor a Response. The message contains `where`, the
 * name of the route
 */
export function toReply(answer: unknown, where: string, event: LoadBalancerEvent): Reply | Promise<Reply> {
  // `Response` is tested last, because Node loads its whole Fetch API at the first use of that name.
  if (typeof answer === 'object' && answer !== null) {
    // An HttpError has a status, but it would be sent without its message.
    if (answer instanceof Error) throw answer
    if ('statusCode' in answer) return withOneMap(answer as Reply, event)
    // Query builders return thenables, and promises may come from another realm, as Node's promises do in a jest
    // test.
    if (isThenable(answer)) return settledReply(answer, where, event)
  }
  if (answer instanceof Response) return replyOf(answer)
  const misspelt = typeof answer === 'object' && answer !== null ? misspeltField(answer) : undefined
  throw new InvalidResponseError(where, [
    misspelt ?? {
      pointer: '',
      expected: 'a reply such as json(…), an object with a statusCode, or a Response',
      actual: kindOf(answer),
    },
  ])
}

async function settledReply(answer: unknown, where: string, event: LoadBalancerEvent): Promise<Reply> {
  return toReply(await answer, where, event)
}
