import { validate } from '@signalbox/codec'
import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import type * as t from 'io-ts'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { type BodyKind, bodyAs, bodyKinds } from '../request/body.ts'
import {
  bodySource,
  type DecodedParts,
  headerMap,
  queryMap,
  type RequestSettings,
} from '../request/http-request.ts'
import { queryValues } from '../request/query-values.ts'
import { headerValues, type Values, valuesByName } from '../request/values.ts'
import { HttpError, type RequestProblem } from '../response/http-error.ts'
import { listFields } from './list-fields.ts'

/**
 * What a route expects of a request. A request that differs is answered with 400 and the problems by JSON pointer,
 * before the handler runs.
 */
export interface RouteInput<Params, Query, Headers, Body> {
  /** Of the path's parameters: an object of texts. */
  readonly params?: t.Type<Params, unknown, unknown>
  /** Of an object of texts. A field that is an array gets every value, any other the last. */
  readonly query?: t.Type<Query, unknown, unknown>
  /** Of an object of texts, names in lower case. */
  readonly headers?: t.Type<Headers, unknown, unknown>
  /** Of parsed JSON, or an object of texts from a form, or text or bytes. Another type of body is answered with 415. */
  readonly body?: t.Type<Body, unknown, unknown>
  /** How the body may arrive; the first is assumed when the request does not say. Default `['json']`. */
  readonly accepts?: readonly BodyKind[]
  /** Bytes that the body may have; above is 413. Default: the limit of the handler, 1 MB. */
  readonly bodyLimit?: number
}

const inputNames = ['params', 'query', 'headers', 'body', 'accepts', 'bodyLimit'] as const

/** A check of requests against an input. What it returns stands in the place of the raw parts. */
export type InputCheck = (
  event: LoadBalancerEvent,
  params: unknown,
  settings: RequestSettings,
) => DecodedParts | undefined

/**
 * Makes the check for a route's input.
 * @throws InvalidOptionError for an unknown field or value
 */
export function inputCheck<Params, Query, Headers, Body>(
  where: string,
  input: RouteInput<Params, Query, Headers, Body>,
): InputCheck {
  refuseUnknownOptions(where, input, inputNames)
  const { params, query, headers, body, accepts, bodyLimit } = input
  for (const [part, codec] of Object.entries({ params, query, headers, body })) {
    if (codec === undefined || (typeof codec.is === 'function' && typeof codec.validate === 'function'))
      continue
    throw new InvalidOptionError(
      `${where} has a ${part} that is no io-ts codec, such as t.type({ id: t.string })`,
    )
  }
  const isKinds = Array.isArray(accepts) && accepts.every(kind => bodyKinds.includes(kind))
  if (accepts !== undefined && (!isKinds || accepts.length === 0)) {
    throw new InvalidOptionError(
      `${where} accepts ${JSON.stringify(accepts)}, expected some of ${bodyKinds.join(', ')}`,
    )
  }
  if (bodyLimit !== undefined && !(bodyLimit >= 0)) {
    throw new InvalidOptionError(`${where} has a bodyLimit of ${bodyLimit}, expected a number of bytes`)
  }
  const queryFields = query && objectOf(query)
  const headerFields = headers && objectOf(headers)
  const bodyFields = body && objectOf(body)
  return (event, rawParams, settings) => {
    const problems: RequestProblem[] = []
    const decoded: DecodedParts = {}
    const check = <A>(part: RequestProblem['in'], codec: t.Type<A, unknown, unknown>, value: unknown) => {
      const result = validate(codec, value)
      if (result._tag === 'Right') decoded[part] = result.right
      else problems.push(...result.left.map(problem => ({ in: part, ...problem })))
    }
    if (params) check('params', params, rawParams)
    if (query) check('query', query, queryFields!(queryValues(queryMap(event))))
    if (headers) check('headers', headers, headerFields!(headerValues(headerMap(event))))
    if (body || accepts) {
      const { kind, content } = bodyAs(bodySource(event, settings.bodyLimit), accepts ?? ['json'])
      const isForm = kind === 'form' && content !== undefined
      if (body) check('body', body, isForm ? bodyFields!(valuesByName(content as URLSearchParams)) : content)
      else decoded.body = content
    }
    if (problems.length > 0) throw new HttpError(400, 'The request is not as expected', { problems })
    return decoded
  }
}

/** An object of texts for a codec: every value where it wants an array, the last of all others. */
function objectOf(codec: t.Mixed): (values: Values) => unknown {
  const lists = listFields(codec)
  return values => {
    const fields = new Map<string, string | readonly string[]>()
    for (const name of lists) fields.set(name, values.all(name))
    for (const name of values.names()) if (!lists.has(name)) fields.set(name, values.all(name).at(-1)!)
    // Defines its keys, so that a parameter named __proto__ is just another key.
    return Object.fromEntries(fields)
  }
}
