import { type Problem, pointerTo, type StandardSchema, validateAsync } from '@signalbox/codec'
import { InvalidResponseError, inDevelopmentOrTest, type Request } from '@signalbox/core'
import type * as t from 'io-ts'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { type Reply, replyBytes } from '../response/reply.ts'
import { replyHeader } from '../response/reply-headers.ts'
import type { Returns } from '../routing/declared.ts'
import type { RouteIndex } from '../routing/route-index.ts'
import { routesKey } from '../routing/route-index.ts'
import type { Prepared } from '../routing/router.ts'
import { type HttpMiddleware, httpMiddleware } from './http-middleware.ts'

/**
 * Returns the middleware that compares each answer with the `returns` declaration of its route, but only if `NODE_ENV`
 * is `development` or `test`. For a wrong answer, it throws InvalidResponseError, which contains the JSON pointers of
 * the problems. It accepts error replies (`application/problem+json`) with a status that is not declared, because any
 * request can get them.
 * @example signalbox(loadBalancer(routes)).use(checkReturns())
 */
export function checkReturns(): HttpMiddleware {
  return httpMiddleware('check-returns', {
    after: async request => {
      if (!inDevelopmentOrTest()) return
      const { event, response } = request
      const index = (request as Request).internal[routesKey] as RouteIndex<Prepared>
      const route = index.find(event.httpMethod, event.path)?.route
      const returns = route?.input?.returns
      if (returns === undefined) return
      const problems = await problemsOf(response!, returns, event)
      if (problems.length > 0) throw new InvalidResponseError(`${route!.method} ${route!.path}`, problems)
    },
  })
}

async function problemsOf(
  reply: Reply,
  returns: Returns,
  { httpMethod }: LoadBalancerEvent,
): Promise<readonly Problem[]> {
  const { statusCode } = reply
  const isProblem = replyHeader(reply, 'content-type').some(type =>
    /^application\/problem\+json\b/.test(type),
  )
  if (!Object.hasOwn(returns, statusCode)) {
    if (isProblem) return []
    const declared = Object.keys(returns).join(', ')
    return [{ pointer: '/statusCode', expected: `one of ${declared}`, actual: `number ${statusCode}` }]
  }
  const body = Buffer.from(replyBytes(reply)).toString()
  const schema = returns[statusCode]!
  if (schema === null) {
    return body === '' ? [] : [{ pointer: '/body', expected: 'nothing', actual: 'a body' }]
  }
  if (httpMethod === 'HEAD' && body === '') return []
  return inBody(schema, body)
}

async function inBody(schema: t.Mixed | StandardSchema, body: string): Promise<readonly Problem[]> {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return [{ pointer: '/body', expected: 'JSON text', actual: 'another text' }]
  }
  const result = await validateAsync(schema, value)
  if (result._tag === 'Right') return []
  return result.left.map(problem => ({ ...problem, pointer: pointerTo('body') + problem.pointer }))
}
