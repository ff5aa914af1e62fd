import { type CodecOrSchema, type Hint, kindOf, type StandardSchema, validateAsync } from '@signalbox/codec'
import { isLater, isOldZod, oldZod } from '@signalbox/codec/ready'
import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import type * as t from 'io-ts'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { type BodyKind, type BodySource, bodyAs, bodyKinds } from '../request/body.ts'
import { parseCookies } from '../request/cookies.ts'
import {
  bodySource,
  type DecodedParts,
  headerMap,
  queryMap,
  type RequestSettings,
} from '../request/http-request.ts'
import { queryValues } from '../request/query-values.ts'
import { allHeaders, headerValues, valuesByName } from '../request/values.ts'
import { checkErrorMap, type ErrorMap } from '../response/error-map.ts'
import { HttpError, type RequestProblem } from '../response/http-error.ts'
import type { BodyByType } from './by-type.ts'
import { isCodec, notACodec } from './codec-option.ts'
import type { Returns, RouteDescription } from './declared.ts'
import { type Guard, isGuard } from './guard.ts'
import { fieldsWithoutText, textCheck } from './text-input.ts'

/**
 * The input of a route. The answer to a request that does not match the codecs is 400 with the problems and their JSON
 * pointers, and the handler does not run. Each codec may be a schema of another library (https://standardschema.dev).
 */
export interface RouteInput<
  Params,
  Query,
  Headers,
  Body,
  Fields = unknown,
  Cookies = unknown,
  SentQuery = unknown,
  SentHeaders = unknown,
  SentBody = unknown,
  Answers extends Returns = Returns,
> {
  /** Runs before the request is checked. The fields that it returns are added to the request. */
  readonly guard?: Guard<Fields> | Hint<'write guard(…) around the function'>
  /** Maps errors of this route to answers. */
  readonly errors?: ErrorMap
  /** Decodes the path parameters from an object of strings. */
  readonly params?: TextPart<Params> | Hint<'write t.type({ … }) around the fields'>
  /**
   * Decodes the query from an object of strings. A field that is an array gets every value, and any other field gets
   * the last value. A field that takes one string or an array gets what was sent. A parameter that was not sent is
   * absent; a required array then is empty. With single-value headers, the load balancer sends only the last value of
   * each parameter.
   */
  readonly query?: TextPart<Query, SentQuery> | Hint<'write t.type({ … }) around the fields'>
  /**
   * Decodes the headers from an object of strings. The codec may name a header in any case. Other headers have names in
   * lower case.
   */
  readonly headers?: TextPart<Headers, SentHeaders> | Hint<'write t.type({ … }) around the fields'>
  /** Decodes the cookies from an object of strings. */
  readonly cookies?: TextPart<Cookies> | Hint<'write t.type({ … }) around the fields'>
  /**
   * Decodes the body from parsed JSON, an object of strings (for a form), text or bytes. The answer to a body of a type
   * that is not accepted is 415. `byType` accepts a codec for each of several media types.
   */
  readonly body?: CodecOrSchema<Body, SentBody> | Hint<'write t.type({ … }) around the fields'>
  /** The accepted kinds of body. The first is assumed when the request has no content type. Default `['json']`. */
  readonly accepts?: readonly BodyKind[]
  /**
   * The maximum size of the body in bytes. The answer to a larger body is 413. Default: the limit of the handler, 1 MB.
   */
  readonly bodyLimit?: number
  /**
   * For each status, the codec of the JSON body of the answer, or null for an answer without a body. Clients and OpenAPI
   * documents use these types. The compiler compares the replies of the handler with them, and in development and tests
   * each answer is compared when it is given.
   */
  readonly returns?: Answers
  /** The description of the route in an OpenAPI document. */
  readonly describe?: RouteDescription
}

/** The codec or schema of a part of a request that contains only text, such as the query. */
type TextPart<A, Wire = unknown> = (t.Type<A, Wire, unknown> | StandardSchema<A, Wire>) & OfText<Wire>

/** A hint for a codec or schema with a field that is not text, which no request could match. */
type OfText<Wire> = [FieldsWithoutText<Wire>] extends [never]
  ? unknown
  : Hint<`${FieldsWithoutText<Wire>} has text only: use a codec that decodes text, such as NumberFromString`>

type FieldsWithoutText<Wire> = unknown extends Wire
  ? never
  : { [K in keyof Wire]-?: IsNoText<NonNullable<Wire[K]>> extends true ? K & string : never }[keyof Wire]

type IsNoText<A> = [A] extends [never] ? false : [A] extends [number | boolean | bigint] ? true : false

/** The input of any route. */
export type AnyRouteInput = {
  [K in keyof UncheckedInput]: Exclude<UncheckedInput[K], Hint<string>>
}
type UncheckedInput = RouteInput<unknown, unknown, unknown, unknown>

const inputNames = [
  'guard',
  'errors',
  'params',
  'query',
  'headers',
  'cookies',
  'body',
  'accepts',
  'bodyLimit',
  'returns',
  'describe',
] as const satisfies readonly (keyof AnyRouteInput)[]

/** Checks a request against an input. Returns the decoded parts, which replace the original parts. */
export type InputCheck = (
  event: LoadBalancerEvent,
  params: unknown,
  settings: RequestSettings,
) => DecodedParts | Promise<DecodedParts>

/**
 * Returns a function that checks requests against the input of a route.
 * @throws InvalidOptionError for an unknown field, an invalid value, or a codec that no request can satisfy
 */
export function inputCheck<Params, Query, Headers, Body, Fields, Cookies>(
  where: string,
  input: RouteInput<Params, Query, Headers, Body, Fields, Cookies>,
): InputCheck {
  refuseUnknownOptions(where, input, inputNames)
  const { guard, errors, params, query, headers, cookies, body, accepts, bodyLimit, returns }: AnyRouteInput =
    input as never
  if (guard !== undefined && (typeof guard !== 'object' || !isGuard(guard))) {
    throw new InvalidOptionError(
      `${where} has a guard that is ${kindOf(guard)}, expected one made by guard()`,
    )
  }
  checkErrorMap(where, errors)
  const isKinds = Array.isArray(accepts) && accepts.every(kind => bodyKinds.includes(kind))
  const { checkBody: checkByType } = (body ?? {}) as Partial<BodyByType>
  if (accepts !== undefined && (!isKinds || accepts.length === 0 || checkByType)) {
    throw new InvalidOptionError(
      `${where} accepts ${JSON.stringify(accepts)}, expected some of ${bodyKinds.join(', ')} for a whole body, and no byType()`,
    )
  }
  // The decoded parts of each request are a copy of this object.
  const blank: DecodedParts = {}
  for (const [part, codec] of Object.entries({ params, query, headers, cookies, body })) {
    if (codec === undefined) continue
    blank[part as RequestProblem['in']] = undefined
    if (!isCodec(codec)) throw notACodec(`${where} has a ${part} that`, codec)
    // The compiler reports this, too.
    if (process.env.NODE_ENV !== 'production' && (part !== 'body' || accepts?.every(kind => kind === 'form')))
      refuseFieldsWithoutText(where, part, codec)
  }
  if (bodyLimit !== undefined && !(bodyLimit >= 0)) {
    throw new InvalidOptionError(`${where} has a bodyLimit of ${bodyLimit}, expected a number of bytes`)
  }
  // A function uses `returns` only for documents and in tests, so a production bundle lacks the check.
  if (process.env.NODE_ENV !== 'production') checkReturns(where, returns)
  const checkQuery = query && textCheck(query)
  const checkHeaders = headers && textCheck(headers, true)
  const checkForm = body && accepts?.includes('form') ? textCheck(body) : undefined
  if (accepts) blank.body = undefined
  const parts = Object.keys(blank) as RequestProblem['in'][]
  const conclude = (results: readonly CheckResult[]): DecodedParts => {
    const decoded = { ...blank }
    const problems: RequestProblem[] = []
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!
      const result = results[i]!
      if (result._tag === 'Right') decoded[part] = result.right
      else problems.push(...result.left.map(problem => ({ in: part, ...problem })))
    }
    if (problems.length > 0)
      throw new HttpError(400, 'The request does not match what is expected', { problems })
    return decoded
  }
  const checkWholeBody = (source: BodySource): CheckResult | Promise<CheckResult> => {
    const { kind, content } = bodyAs(source, accepts ?? ['json'])
    if (!body) return { _tag: 'Right', right: content }
    const isForm = kind === 'form' && content !== undefined
    return isForm ? checkForm!(valuesByName(content as URLSearchParams)) : validateAsync(body, content)
  }
  return (event, rawParams, settings) => {
    const results: (CheckResult | Promise<CheckResult>)[] = []
    if (params) results.push(validateAsync(params, rawParams))
    if (checkQuery) results.push(checkQuery(queryValues(queryMap(event))))
    if (checkHeaders) results.push(checkHeaders(headerValues(headerMap(event))))
    if (cookies)
      results.push(validateAsync(cookies, { ...parseCookies(allHeaders(headerMap(event), 'cookie')) }))
    if (body || accepts) {
      const source = bodySource(event, settings.bodyLimit)
      results.push(checkByType ? checkByType(source) : checkWholeBody(source))
    }
    for (const result of results) if (isLater(result)) return Promise.all(results).then(conclude)
    return conclude(results as CheckResult[])
  }
}

function refuseFieldsWithoutText(where: string, part: string, codec: t.Mixed | StandardSchema): void {
  const [field] = fieldsWithoutText(codec)
  if (field === undefined) return
  throw new InvalidOptionError(
    `${where}: ${part}.${field.name} is ${field.codec}, but ${part} has text only, so that no request would fit. ` +
      'Use a codec that decodes text, such as NumberFromString or BooleanFromString of io-ts-types',
  )
}

function checkReturns(where: string, returns: Returns = {}): void {
  for (const [status, answer] of Object.entries(returns)) {
    if (/^[2-5]\d\d$/.test(status) && (answer === null || isCodec(answer))) continue
    throw new InvalidOptionError(
      `${where}: returns.${status} is ${isOldZod(answer) ? oldZod : kindOf(answer)}, expected a codec, a schema or null for a status from 200 to 599`,
    )
  }
}

type CheckResult = Awaited<ReturnType<typeof validateAsync>>
