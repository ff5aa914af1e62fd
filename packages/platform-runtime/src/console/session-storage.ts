import type { StoragePort } from '../storage/storage-engine.ts'

/** A session of the console. */
export interface ConsoleSession {
  /** The key that the visitor signed in with. Undefined for a session that began with a link. */
  readonly keyId: string | undefined
}

/** The unused links and the open sessions of a console, by digests of their secrets. */
export interface SessionTable {
  /** Adds a link. It is valid until this platform stops or has added twenty further links. */
  readonly addLink: (digest: string) => Promise<void>
  /**
   * Removes a link, and returns whether it was valid. When several calls use the same link, only one of them returns
   * true.
   */
  readonly useLink: (digest: string) => Promise<boolean>
  readonly begin: (digest: string, session: ConsoleSession) => Promise<void>
  /**
   * Returns a session, and records that it was used. Returns undefined if the session is unknown or was not used for
   * twelve hours. Several uses within a minute may be recorded as one.
   */
  readonly find: (digest: string) => Promise<ConsoleSession | undefined>
  /** Ends a session on all platforms that share it. */
  readonly end: (digest: string) => Promise<void>
}

/** The limits of sessions. Times are milliseconds. */
export const sessionLimits = {
  /** The time without a request after which a session ends. */
  idle: 12 * 60 * 60 * 1000,
  /** After a use of a session is stored, further uses within this time need not be stored. */
  precision: 60_000,
  /** The maximum number of unused links of a platform. Each further link makes the oldest one invalid. */
  links: 20,
} as const

/**
 * The storage port of links and sessions of the console. Each engine implements it and passes `sessionTableSuite`.
 * Without an engine, links and sessions exist only in the memory of the process.
 */
export const sessionStorage: StoragePort<() => Promise<SessionTable>> = { name: 'console sessions' }
