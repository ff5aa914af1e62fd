import { optional } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'

export const PoolState = t.readonly(
  t.type({
    name: t.string,
    id: t.string,
    issuer: t.string,
    /** The URL that clients connect to. */
    url: t.string,
    users: t.number,
    groups: t.readonlyArray(t.string),
    clients: t.readonlyArray(
      t.readonly(t.type({ name: t.string, id: t.string, flows: t.readonlyArray(t.string) })),
    ),
  }),
)
export type PoolState = t.TypeOf<typeof PoolState>

export const PoolAccount = t.readonly(
  t.type({
    sub: t.string,
    name: t.string,
    status: t.string,
    enabled: t.boolean,
    attributes: t.readonly(t.record(t.string, t.string)),
    /** Milliseconds since the epoch. */
    createdAt: t.number,
    modifiedAt: t.number,
  }),
)
export type PoolAccount = t.TypeOf<typeof PoolAccount>

/** A message that a pool sent or keeps, with its code. */
export const PoolMessage = t.readonly(
  t.type({
    to: t.string,
    medium: t.union([t.literal('EMAIL'), t.literal('SMS')]),
    /** The occasion, such as `SignUp`. */
    occasion: t.string,
    /** Milliseconds since the epoch. */
    at: t.number,
    subject: optional(t.string),
    /** The text of the message. Undefined when a function sends it. */
    text: optional(t.string),
    code: optional(t.string),
  }),
)
export type PoolMessage = t.TypeOf<typeof PoolMessage>

export const PoolAccountDetails = t.readonly(
  t.type({
    user: PoolAccount,
    groups: t.readonlyArray(t.string),
    /** The messages to the user, the latest first. */
    messages: t.readonlyArray(PoolMessage),
  }),
)
export type PoolAccountDetails = t.TypeOf<typeof PoolAccountDetails>

/** A change to an account. */
export const PoolUserAction = t.keyof({
  confirm: null,
  disable: null,
  enable: null,
  'reset-password': null,
  'sign-out': null,
  delete: null,
})
export type PoolUserAction = t.TypeOf<typeof PoolUserAction>

const Token = t.readonly(
  t.type({
    header: t.readonly(t.record(t.string, t.unknown)),
    claims: t.readonly(t.record(t.string, t.unknown)),
  }),
)

/** The result of a test sign-in: decoded tokens, or the challenge that comes next. */
export const PoolSignIn = t.readonly(
  t.type({
    idToken: optional(Token),
    accessToken: optional(Token),
    hasRefreshToken: t.boolean,
    /** The challenge with which the sign-in continues. Undefined if the sign-in returned tokens. */
    challenge: optional(t.string),
  }),
)
export type PoolSignIn = t.TypeOf<typeof PoolSignIn>

/** The console's operations on user pools. They reject with RefusedError when a pool refuses the operation. */
export interface ConsoleUserPools {
  readonly list: () => Promise<readonly PoolState[]>
  /**
   * Returns the users whose name, sub or attribute contains `search`, in the order of the pool.
   * @param page `after` is the value that the last page returned
   */
  readonly users: (
    pool: string,
    page: { readonly search: string; readonly after: string | undefined; readonly last: number },
  ) => Promise<{ readonly users: readonly PoolAccount[]; readonly after: string | undefined }>
  /** Returns an account with its details. Returns undefined for an unknown user. */
  readonly user: (pool: string, name: string) => Promise<PoolAccountDetails | undefined>
  readonly change: (pool: string, name: string, action: PoolUserAction) => Promise<void>
  readonly addToGroup: (pool: string, name: string, group: string) => Promise<void>
  readonly removeFromGroup: (pool: string, name: string, group: string) => Promise<void>
  readonly add: (pool: string, name: string, password: string, attributes: Attributes) => Promise<void>
  /** Returns the messages of a pool, the latest first. */
  readonly messages: (pool: string) => Promise<readonly PoolMessage[]>
  /** Returns the addresses that send the mails of pools, in lower case. */
  readonly senders: () => readonly string[]
  readonly signIn: (
    pool: string,
    name: string,
    password: string,
    client: string | undefined,
  ) => Promise<PoolSignIn>
}

interface Attributes {
  readonly [name: string]: string
}
