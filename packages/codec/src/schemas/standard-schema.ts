import type { Type } from 'io-ts'

/**
 * A schema of any library that follows https://standardschema.dev, version 1: zod, valibot, ArkType and others. It has
 * only the types that Signalbox needs, in the structure of the specification.
 */
export interface StandardSchema<Output = unknown, Input = unknown> {
  readonly '~standard': {
    readonly version: 1
    /** The name of the library. */
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** This field exists only as a type. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** The result of a schema for a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * A description of data: an io-ts codec, or a schema of another library that follows Standard Schema. `Wire` is the
 * type of its input, as far as the library knows it.
 */
export type CodecOrSchema<A, Wire = unknown> = Type<A, Wire, unknown> | StandardSchema<A, Wire>
