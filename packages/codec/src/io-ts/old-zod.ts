/** The words for a schema of a zod that does not follow Standard Schema yet. */
export const oldZod = 'a schema of zod before 3.24, which does not follow Standard Schema: update zod'

/** Returns whether a value is a schema of zod that does not follow Standard Schema, as those before 3.24. */
export function isOldZod(value: unknown): boolean {
  const { _def: definition, '~standard': standard } = (value ?? {}) as {
    readonly _def?: { readonly typeName?: unknown }
    readonly '~standard'?: unknown
  }
  return standard === undefined && /^Zod/.test(String(definition?.typeName))
}
