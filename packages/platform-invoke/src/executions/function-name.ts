/** The function that a client names, with its version or alias. */
export interface NamedFunction {
  readonly name: string
  /** A version or an alias. Undefined when the client names none. */
  readonly qualifier: string | undefined
}

const form =
  /^(?:(?:arn:[a-z-]+:lambda:[^:]*:)?(?:\d{12}:)?function:|\d{12}:function:)?([\w-]+)(?::([\w$-]+))?$/

/**
 * Parses a function name, a partial ARN or a full ARN, each with or without a qualifier. Ignores the region and the
 * account. Returns undefined for any other string.
 */
export function namedFunction(text: string): NamedFunction | undefined {
  const [, name, qualifier] = form.exec(text) ?? []
  return name === undefined ? undefined : { name, qualifier }
}
