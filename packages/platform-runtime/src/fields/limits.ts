import { type Fields, integerFrom, numberFrom, optional } from './field.ts'

/** The limits of one client. A missing number means no limit. */
export interface LimitsConfig {
  /** The maximum number of requests in one `window`, whether they arrive all at once or spread out. */
  readonly requests?: number
  /**
   * The maximum number of bytes that the client may send in one `window`. A larger request is served, but later
   * requests have to wait longer.
   */
  readonly bytes?: number
  /** The length of a window in seconds. Default 1. */
  readonly window?: number
}

/** The limits of one client address at a listener. For IPv6, the addresses of a 64-bit network share their limits. */
export interface ListenerLimitsConfig extends LimitsConfig {
  /** The maximum number of connections at a time. */
  readonly connections?: number
}

const most = 1_000_000_000_000

export const limitsFields: Fields<LimitsConfig> = {
  requests: optional(integerFrom(1, most)),
  bytes: optional(integerFrom(1, most)),
  window: optional(numberFrom(0.001, 86_400, 'seconds')),
}

export const listenerLimitsFields: Fields<ListenerLimitsConfig> = {
  ...limitsFields,
  connections: optional(integerFrom(1, most)),
}
