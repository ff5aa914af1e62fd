import type * as t from 'io-ts'
import { codecOf, success } from '../io-ts/codec-of.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { refuseNonCodec } from '../io-ts/refuse-non-codec.ts'
import { isSecret } from '../problems/secret.ts'
import type { CodecOrSchema, StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts'

/**
 * Returns the codec that behaves like a schema of another library. A codec of io-ts is returned unchanged. If the
 * schema is asynchronous, `validate` and `decode` of its codec return promises, which only `validateAsync` and
 * `decoder` expect. See docs/decisions/schemas-of-any-library.md.
 * @throws TypeError for a value that is neither a codec nor a schema
 */
export function toCodec<A>(schema: CodecOrSchema<A>): t.Type<A, unknown, unknown> {
  const standard = (schema as StandardSchema)?.['~standard']
  if (!standard) {
    refuseNonCodec(schema as Codec)
    return schema as Codec
  }
  const validate = (value: unknown, context: t.Context) => {
    const validation = ({ issues, value: right }: Partial<StandardResult<unknown>> & { value?: unknown }) =>
      issues ? { _tag: 'Left', left: issues.map(issue => errorOf(issue, value, context)) } : success(right)
    const result = standard.validate(value)
    return (result instanceof Promise ? result.then(validation) : validation(result)) as t.Validation<A>
  }
  return codecOf<A, unknown>({
    name: `schema of ${standard.vendor}`,
    is: (value): value is A => validate(value, [])._tag === 'Right',
    validate,
  })
}

/** Turns an issue into an error of io-ts. The type at the end of its context is named after what the schema expects. */
function errorOf({ message, path = [] }: StandardIssue, value: unknown, outer: t.Context): t.ValidationError {
  const context = [...outer]
  let actual = value
  for (const step of path) {
    const key = String((step as { readonly key?: PropertyKey }).key ?? step)
    actual = (actual as Record<string, unknown> | undefined)?.[key]
    context.push({ key, actual } as t.ContextEntry)
  }
  const name = context.some(({ key }) => isSecret(key))
    ? 'another value'
    : // Many messages quote the value, and begin with words that the problem repeats.
      message.replace(/^.*?(?:: expected|must be) |(?:[,:]|,? but) received .*| \(was .*/gis, '')
  context.push({ ...context.pop()!, type: { name } as never })
  return { value, context }
}
