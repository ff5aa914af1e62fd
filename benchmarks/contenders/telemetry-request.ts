import { httpEvent } from '../data/http.ts'
import { inTurn } from '../data/turn.ts'
import type { Contender, Role } from '../harness/work.ts'
import type { Handler } from './stack.ts'

const asked = Array.from({ length: 16 }, (_, at) => ({ method: 'GET', path: `/orders/${at}` }))

/** A contender that answers requests. */
export function requestContender(name: string, role: Role, handler: Handler): Contender {
  const events = asked.map(request => httpEvent('single', request as never))
  const next = inTurn(events)
  const context = () =>
    ({
      ...{ functionName: 'shop', awsRequestId: 'request-1', memoryLimitInMB: '128' },
      ...{ invokedFunctionArn: 'arn:aws:lambda:eu-central-1:1:function:shop', functionVersion: '1' },
      getRemainingTimeInMillis: () => 3_000,
    }) as never
  return {
    name,
    role,
    // Each event has a context of its own, as in a function.
    run: () => handler(next() as never, context()),
    async answers() {
      const found: unknown[] = []
      for (const event of events) found.push(await handler(event as never, context()))
      return found
    },
  }
}
