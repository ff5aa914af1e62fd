import { type Problem, pointerTo, type StandardSchema, validateAsync } from '@signalbox/codec'
import { InvalidResponseError } from '@signalbox/core'
import type * as t from 'io-ts'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { mediaType } from '../contract/text-body.ts'
import { bodyKind } from '../request/body.ts'
import { type Reply, replyBytes } from '../response/reply.ts'
import { replyHeader } from '../response/reply-headers.ts'
import { answerTypesOf } from './answer-types.ts'
import type { Returns } from './declared.ts'
import type { Route } from './route.ts'

/**
 * Returns the reply if it is as `returns` declares it. It accepts error replies (`application/problem+json`) with a
 * status that is not declared, because any request can get them. An answer in another media type that the route's
 * `produces()` lists is accepted, because `returns` describes JSON.
 * @throws InvalidResponseError for any other reply
 */
export async function asDeclared(
  route: Pick<Route, 'method' | 'input' | 'middlewares'> & { readonly path: string },
  reply: Reply,
  returns: Returns,
  event: LoadBalancerEvent,
): Promise<Reply> {
  const problems = await problemsOf(reply, returns, event, answerTypesOf(route))
  if (problems.length > 0) throw new InvalidResponseError(`${route.method} ${route.path}`, problems)
  return reply
}

async function problemsOf(
  reply: Reply,
  returns: Returns,
  { httpMethod }: LoadBalancerEvent,
  answerTypes: readonly string[] | undefined,
): Promise<readonly Problem[]> {
  const { statusCode } = reply
  const type = mediaType(replyHeader(reply, 'content-type')[0])
  const isProblem = type === 'application/problem+json'
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
  if (answerTypes?.includes(type) && bodyKind(type) !== 'json') return []
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
