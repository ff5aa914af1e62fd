import type { Location } from '@signalbox/platform-runtime'

/** The function that a client names, with its version or alias. */
export interface NamedFunction {
  readonly name: string
  /** A version or an alias. Undefined when the client names none. */
  readonly qualifier: string | undefined
}

/** Returns the resource name of a function, without its version. */
export function functionResourceName(name: string, { region, account }: Location): string {
  return `arn:aws:lambda:${region}:${account}:function:${name}`
}

const form =
  /^(?:(?:arn:[a-z-]+:lambda:[^:]*:)?(?:\d{12}:)?function:|\d{12}:function:)?([\w-]+)(?::([\w$-]+))?$/

/**
 * Reads the name of a function, a part of its resource name, or the whole resource name, each with or without a
 * qualifier. Region and account are not compared. Undefined for any other text.
 */
export function namedFunction(text: string): NamedFunction | undefined {
  const [, name, qualifier] = form.exec(text) ?? []
  return name === undefined ? undefined : { name, qualifier }
}
