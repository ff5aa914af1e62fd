import { type BodyKind, bodyKind } from '../request/body.ts'
import type { BodyByType } from '../routing/by-type.ts'
import type { AnyRouteInput } from '../routing/route-input.ts'
import type { Operation } from './document.ts'
import type { SchemaWriter } from './schema-writer.ts'

const bodyTypes: { readonly [K in BodyKind]: string } = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  bytes: 'application/octet-stream',
}

/** Describes the body that a route reads, by media type. */
export function requestBody(
  where: string,
  { body, accepts = ['json'] }: AnyRouteInput,
  writer: SchemaWriter,
): NonNullable<Operation['requestBody']> {
  if (body !== undefined && 'checkBody' in body) {
    const types = Object.entries((body as BodyByType).types)
    return {
      required: true,
      content: Object.fromEntries(
        types.map(([type, codec]) => [
          type,
          {
            schema:
              bodyKind(type) === 'bytes' && type !== 'multipart/form-data'
                ? {}
                : writer.schema(`${where}: ${type}`, codec),
          },
        ]),
      ),
    }
  }
  const schema = body === undefined ? {} : writer.schema(`${where}: body`, body)
  return {
    required: body !== undefined,
    content: Object.fromEntries(
      accepts.map(kind => [bodyTypes[kind], { schema: kind === 'bytes' ? {} : schema }]),
    ),
  }
}
