import type * as t from 'io-ts'
import { type Codec, codecOf, success } from '../io-ts/codec-of.ts'
import { isSecret } from '../problems/secret.ts'
import { type Issue, nearestIssues, toldBy } from './issues.ts'
import type { StandardResult, StandardSchema } from './standard-schema.ts'

/** Returns the codec of a schema of another library. */
export function schemaCodec({ '~standard': standard }: StandardSchema): Codec {
  const validate = (value: unknown, context: t.Context) => {
    const validation = ({ issues, value: right }: Partial<StandardResult<unknown>> & { value?: unknown }) =>
      issues
        ? { _tag: 'Left', left: issues.flatMap(nearestIssues).map(issue => errorOf(issue, value, context)) }
        : success(right)
    const result = standard.validate(value)
    return (result instanceof Promise ? result.then(validation) : validation(result)) as t.Validation<unknown>
  }
  return codecOf<unknown>({
    name: `schema of ${standard.vendor}`,
    is: (value): value is unknown => validate(value, [])._tag === 'Right',
    validate,
  })
}

/** Turns an issue into an io-ts error. The last type in its context says what the schema expects. */
function errorOf(issue: Issue, value: unknown, outer: t.Context): t.ValidationError {
  const context = [...outer]
  let actual = value
  let isThere = true
  for (const step of issue.path ?? []) {
    const key = String((step as { readonly key?: PropertyKey }).key ?? step)
    isThere = isThere && (typeof actual === 'object' ? actual !== null : actual === undefined)
    actual =
      actual instanceof Map ? actual.get(key) : (actual as Record<string, unknown> | null | undefined)?.[key]
    context.push({ key, actual } as t.ContextEntry)
  }
  const isHidden = context.some(({ key }) => isSecret(key))
  const type = isHidden ? { name: 'another value' } : toldBy(issue, actual, isThere)
  context.push({ ...context.pop()!, type: type as never })
  return { value, context }
}
