import type { CodecOrSchema, StandardSchema } from '@signalbox/codec'
import type { Mixed } from 'io-ts'
import type { Method } from '../contract/index.ts'

/**
 * The types that a route declares about its requests and answers, for clients. A type only: each part has the form in
 * which it is sent.
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

/** The sent form of the values of a codec or a schema. */
export type WireOf<C> = C extends CodecOrSchema<infer _, infer Wire> ? Wire : undefined

/** How a route is described in an OpenAPI document. */
export interface RouteDescription {
  readonly summary?: string
  readonly description?: string
  /** Default: made from method and path. */
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly deprecated?: boolean
}
