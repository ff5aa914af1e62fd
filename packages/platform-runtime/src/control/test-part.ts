import type * as t from 'io-ts'

/** What a part of the platform brings to the test interface, below `/testing` of the control address. */
export interface TestPart {
  /** The name in `POST /testing/reset/{name}`. */
  readonly name: string
  readonly routes: readonly TestRoute[]
  /**
   * Deletes what tests leave behind: all messages, mails or accounts. What the configuration declares is there again
   * afterwards. Absent if there is nothing to delete.
   */
  readonly reset?: (() => Promise<void>) | undefined
  /** Whether other platforms may share the data. It is not deleted then, and `reset` is refused. */
  readonly isShared?: boolean
}

/** A path of the test interface. */
export interface TestRoute {
  readonly method: 'GET' | 'POST'
  /** The path below `/testing`, such as `/queues/{name}/messages`. */
  readonly path: string
  /** The codecs of the fields: of the query of a GET, of the JSON object in the body of a POST. */
  readonly fields: t.Props
  /** Returns the answer, as JSON. Throws ApiError, or RefusedError for what is not possible now. */
  readonly answer: (input: TestInput) => Promise<unknown>
}

interface TestInput {
  /** The decoded parameters of the path. */
  readonly params: { readonly [name: string]: string }
  // biome-ignore lint/suspicious/noExplicitAny: the types follow from the codecs, which `testRoute` connects.
  readonly fields: any
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/**
 * Describes a path of the test interface.
 * @example
 * testRoute('GET', '/queues/{name}/messages', { last: wholeNumber }, async ({ params, fields: { last = 50 } }) => …)
 */
export function testRoute<const P extends `/${string}`, F extends t.Props>(
  method: TestRoute['method'],
  path: P,
  fields: F,
  answer: (input: {
    readonly params: { readonly [Name in NamesIn<P>]: string }
    readonly fields: { readonly [Name in keyof F]?: t.TypeOf<F[Name]> }
  }) => Promise<unknown>,
): TestRoute {
  return { method, path, fields, answer: answer as TestRoute['answer'] }
}
