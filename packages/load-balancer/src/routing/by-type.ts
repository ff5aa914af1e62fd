import { type CodecOrSchema, type StandardSchema, validateAsync } from '@signalbox/codec'
import { isLater } from '@signalbox/codec/ready'
import { InvalidOptionError, notAnAnswer } from '@signalbox/core'
import type * as t from 'io-ts'
import { mediaType } from '../contract/index.ts'
import { type BodySource, bodyAs, bodyBytes, bodyKind } from '../request/body.ts'
import { HttpError } from '../response/http-error.ts'
import { isCodec, notACodec } from './codec-option.ts'
import type { WireOf } from './declared.ts'
import { textCheck } from './text-input.ts'

type AnySchema = t.Mixed | StandardSchema

/** The codecs of a body, by media type. */
interface Types {
  readonly [mediaType: string]: AnySchema
}

/** A body whose codec depends on its media type, as declared with `byType`. */
export interface BodyByType<Body = unknown, Sent = unknown> extends StandardSchema<Body, Sent> {
  readonly types: Types
  /**
   * Reads and checks the body of a request. Throws HttpError 415 for a media type that is not declared, and 400 for a
   * body that is not of its type.
   */
  readonly checkBody: (source: BodySource) => Checked | Promise<Checked>
}

type Checked = Awaited<ReturnType<typeof validateAsync>>

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
 * @throws InvalidOptionError if there are no types, if a type is not a media type, or if it has no codec
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
  for (const [name, codec] of Object.entries(types))
    if (!isCodec(codec)) throw notACodec(`byType(): ${name}`, codec)
  const checks = new Map(Object.entries(types).map(([name, codec]) => [name, textCheck(codec)]))
  return notAnAnswer('a body by media type', {
    '~standard': { version: 1, vendor: 'signalbox', validate: () => notABody },
    types,
    checkBody(source: BodySource) {
      const sent = mediaType(source.contentType)
      const type = sent === '' ? names[0]! : sent
      const checkFields = checks.get(type)
      if (!checkFields) {
        throw new HttpError(415, `The body is ${type}, expected ${names.join(' or ')}`, {
          headers: { accept: names.join(', ') },
        })
      }
      const checkContent = (content: unknown) =>
        content instanceof URLSearchParams || content instanceof FormData
          ? checkFields(entriesOf(content))
          : validateAsync(types[type]!, content)
      const withType = (result: Checked): Checked =>
        result._tag === 'Left' ? result : { _tag: 'Right', right: { type, content: result.right } }
      if (type === multipart) return partsOf(source).then(checkContent).then(withType)
      const result = checkContent(bodyAs(source, [bodyKind(type)!]).content)
      return isLater(result) ? result.then(withType) : withType(result)
    },
  })
}

function entriesOf(fields: URLSearchParams | FormData) {
  const all = (name: string) => fields.getAll(name) as readonly string[]
  return { all, names: () => [...new Set(fields.keys())] }
}

const notABody = { issues: [{ message: 'A byType() body is read from a request' }] }

const multipart = 'multipart/form-data'

/** Parses the fields and files of a form. Returns undefined if there is no body. */
async function partsOf(source: BodySource): Promise<FormData | undefined> {
  const bytes = bodyBytes(source)
  if (bytes.length === 0) return undefined
  const headers = { 'content-type': source.contentType ?? multipart }
  try {
    return await new Response(bytes as never, { headers }).formData()
  } catch (cause) {
    throw new HttpError(400, 'The body is not multipart/form-data with the boundary of its content type', {
      cause,
    })
  }
}
