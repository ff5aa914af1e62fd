import { type CodecOrSchema, type StandardResult, type StandardSchema, standard } from '@signalbox/codec'
import { isSchema } from '@signalbox/codec/ready'
import { InvalidOptionError, notAnAnswer } from '@signalbox/core'
import type * as t from 'io-ts'
import { mediaType } from '../contract/index.ts'
import { type BodySource, bodyAs, bodyBytes, bodyKind } from '../request/body.ts'
import { HttpError } from '../response/http-error.ts'
import type { WireOf } from './declared.ts'
import { objectOf } from './list-fields.ts'

type AnySchema = t.Mixed | StandardSchema

/** The codecs of a body, by media type. */
interface Types {
  readonly [mediaType: string]: AnySchema
}

/** A body whose codec depends on its media type, as declared with `byType`. */
export interface BodyByType<Body = unknown, Sent = unknown> extends StandardSchema<Body, Sent> {
  readonly types: Types
  /**
   * Reads the body of a request, so that the schema can check it. Throws HttpError 415 for a media type that is not
   * declared.
   */
  readonly read: (source: BodySource) => unknown
}

type DecodedOf<C> = C extends CodecOrSchema<infer A, infer _> ? A : never

/** The body that a route gets: the media type that was sent, and the decoded content. */
type TypedBody<T extends Types> = {
  readonly [M in keyof T]: { readonly type: M; readonly content: DecodedOf<T[M]> }
}[keyof T]

/**
 * Declares a body that can have one of several media types, each with its own codec or schema. JSON is parsed, a form
 * is an object of strings, `text/…` is text, `multipart/form-data` is an object of strings and Web `File`s, and any
 * other type is bytes. The answer to a request with another type is 415. A request without a type is read as the first
 * type.
 *
 * @example
 * post('/orders', { body: byType({ 'application/json': Order, 'text/csv': Csv }) }, ({ body }) =>
 *   body.type === 'text/csv' ? json(importAll(body.content)) : created(`/orders/${body.content.id}`),
 * )
 *
 * @throws InvalidOptionError if there are no types, or if a type is not a media type
 */
export function byType<const T extends Types>(
  types: T,
): BodyByType<TypedBody<T>, { readonly [M in keyof T]: WireOf<T[M]> }[keyof T]> {
  const names = Object.keys(types)
  if (names.length === 0)
    throw new InvalidOptionError('byType() needs a media type, such as application/json')
  const wrong = names.find(name => !/^[!#$&^_.+a-z0-9-]+\/[!#$&^_.+a-z0-9-]+$/.test(name))
  if (wrong !== undefined) {
    throw new InvalidOptionError(
      `byType(): ${JSON.stringify(wrong)} is not a media type in lower case, such as application/json`,
    )
  }
  const schemas = new Map(
    Object.entries(types).map(([name, codec]) => [
      name,
      { check: isSchema(codec) ? codec : standard(codec), objectFrom: objectOf(codec) },
    ]),
  )
  const validate = async ({ type, content }: Read): Promise<StandardResult<unknown>> => {
    const { check, objectFrom } = schemas.get(type)!
    let value = await content
    if (value instanceof URLSearchParams || value instanceof FormData) {
      const fields = value
      value = objectFrom({
        all: (name: string) => fields.getAll(name) as readonly string[],
        names: () => [...new Set(fields.keys())],
      })
    }
    const result = await check['~standard'].validate(value)
    return result.issues ? result : { value: { type, content: result.value } }
  }
  return notAnAnswer('a body by media type', {
    '~standard': { version: 1, vendor: 'signalbox', validate: validate as never },
    types,
    read: (source: BodySource): Read => {
      const sent = mediaType(source.contentType)
      const type = sent === '' ? names[0]! : sent
      if (!schemas.has(type)) {
        throw new HttpError(415, `The body is ${type}, expected ${names.join(' or ')}`, {
          headers: { accept: names.join(', ') },
        })
      }
      return {
        type,
        content: type === multipart ? partsOf(source) : bodyAs(source, [bodyKind(type)!]).content,
      }
    },
  })
}

const multipart = 'multipart/form-data'

interface Read {
  readonly type: string
  readonly content: unknown
}

/**
 * Parses the fields and files of a form. Returns undefined for an invalid form, so that the schema reports the problem.
 */
function partsOf(source: BodySource): Promise<FormData | undefined> {
  const headers = { 'content-type': source.contentType ?? multipart }
  return new Response(bodyBytes(source) as never, { headers }).formData().catch(() => undefined)
}
