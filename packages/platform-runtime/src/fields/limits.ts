import { type ConfigOf, integerFrom, numberFrom, objectOf, optional } from './field.ts'

const most = 1_000_000_000_000

export const limitsFields = {
  /** The maximum number of requests in one `window`, whether they arrive all at once or spread out. */
  requests: optional(integerFrom(1, most)),
  /**
   * The maximum number of bytes that the client may send in one `window`. A larger request is served, but later
   * requests have to wait longer.
   */
  bytes: optional(integerFrom(1, most)),
  /** The length of a window in seconds. Default 1. */
  window: optional(numberFrom(0.001, 86_400, 'seconds'), 1),
}

/** The limits of one client. A missing number means no limit. */
export interface LimitsConfig extends ConfigOf<typeof limitsFields> {}

const listenerLimitsFields = {
  ...limitsFields,
  /** The maximum number of connections at a time. */
  connections: optional(integerFrom(1, most)),
}

/** The limits of one client address at a listener. For IPv6, the addresses of a 64-bit network share their limits. */
export interface ListenerLimitsConfig extends ConfigOf<typeof listenerLimitsFields> {}

export const listenerLimits = objectOf<ListenerLimitsConfig>(listenerLimitsFields)
