import type { CodecOrSchema, StandardSchema } from '@signalbox/codec'
import type { Mixed } from 'io-ts'
import type { Method } from '../contract/index.ts'
import type { Answer, Reply, Sends } from '../response/reply.ts'

/**
 * The request and answer types that a route declares for clients. They describe the data as it is sent. The types exist
 * only at compile time.
 */
export interface Declared {
  readonly method: Method | 'ANY'
  readonly path: string
  readonly query: unknown
  readonly headers: unknown
  readonly body: unknown
  readonly returns: unknown
}

/** The answers of a route by status: the type of their JSON, or null for an answer without a body. */
export interface Returns {
  readonly [status: number]: Mixed | StandardSchema | null
}

/** What a route with these `returns` can return: `never` stands for a route without them. */
export type AnswerOf<R> = [R] extends [never]
  ? Answer
  : [keyof R & number] extends [never]
    ? Answer
    :
        | { [S in keyof R & number]: Reply & Sends<S, R[S] extends null ? null : WireOf<R[S]>> }[keyof R &
            number]
        | Response

/** The type in which the values of a codec or a schema are sent. */
export type WireOf<C> = C extends CodecOrSchema<infer _, infer Wire> ? Wire : undefined

/** The description of a route in an OpenAPI document. */
export interface RouteDescription {
  readonly summary?: string
  readonly description?: string
  /** The id of the operation. Default: an id from the method and the path. */
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly deprecated?: boolean
}
