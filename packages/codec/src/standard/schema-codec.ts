import type * as t from 'io-ts'
import { codecOf, success } from '../io-ts/codec-of.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { isSecret } from '../problems/secret.ts'
import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts'

/** Returns the codec of a schema of another library. */
export function schemaCodec({ '~standard': standard }: StandardSchema): Codec {
  const validate = (value: unknown, context: t.Context) => {
    const validation = ({ issues, value: right }: Partial<StandardResult<unknown>> & { value?: unknown }) =>
      issues ? { _tag: 'Left', left: issues.map(issue => errorOf(issue, value, context)) } : success(right)
    const result = standard.validate(value)
    return (result instanceof Promise ? result.then(validation) : validation(result)) as t.Validation<unknown>
  }
  return codecOf<unknown>({
    name: `schema of ${standard.vendor}`,
    is: (value): value is unknown => validate(value, [])._tag === 'Right',
    validate,
  })
}

/** Turns an issue into an io-ts error. The name of the last type in its context describes what the schema expects. */
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
