import { reasonPhrase } from '../contract/status.ts'
import { bodyKind } from '../request/body.ts'
import type { AnyRouteInput } from '../routing/route-input.ts'
import type { Content, Operation } from './document.ts'
import type { JsonSchema, SchemaWriter } from './schema-writer.ts'

/**
 * Returns the answers of a route by status: the answers that it declares, and the errors that its input, its guards and
 * `produces()` can cause.
 */
export function responses(
  where: string,
  input: AnyRouteInput,
  isGuarded: boolean,
  answerTypes: readonly string[] | undefined,
  writer: SchemaWriter,
): Operation['responses'] {
  const { params, query, headers, cookies, body, accepts, returns = {} } = input
  const found: Record<string, { readonly description: string; readonly content?: Content }> = {}
  const isChecked = [params, query, headers, cookies, body].some(each => each !== undefined)
  if (isChecked) found[400] = problemResponse(400, writer)
  if (isGuarded) found[401] = problemResponse(401, writer)
  if (answerTypes !== undefined) found[406] = problemResponse(406, writer)
  if (body !== undefined || accepts !== undefined) {
    found[413] = problemResponse(413, writer)
    found[415] = problemResponse(415, writer)
  }
  for (const [status, codec] of Object.entries(returns)) {
    const description = reasonPhrase(Number(status)) ?? `Status ${status}`
    if (codec === null) found[status] = { description }
    else {
      const schema = writer.schema(`${where}: returns ${status}`, codec)
      const isError = Number(status) >= 400
      const types = isError ? ['application/problem+json'] : (answerTypes ?? ['application/json'])
      found[status] = {
        description,
        // `returns` describes only JSON answers.
        content: Object.fromEntries(
          types.map(type => [type, { schema: bodyKind(type) === 'json' ? schema : {} }]),
        ),
      }
    }
  }
  const isDeclared = Object.keys(returns).length > 0
  return isDeclared ? found : { ...found, default: { description: 'The answer of the route' } }
}

function problemResponse(status: number, writer: SchemaWriter) {
  const schema = writer.named('Problem', problemSchema)
  return { description: reasonPhrase(status)!, content: { 'application/problem+json': { schema } } }
}

/** The JSON Schema of an error reply (RFC 9457), with the list of problems in a request. */
const problemSchema: JsonSchema = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          in: { enum: ['params', 'query', 'headers', 'cookies', 'body'] },
          pointer: { type: 'string' },
          expected: { type: 'string' },
          actual: { type: 'string' },
          isSentence: { const: true },
        },
        required: ['in', 'pointer', 'expected'],
      },
    },
  },
  required: ['title', 'status'],
}
