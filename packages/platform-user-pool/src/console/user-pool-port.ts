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

/** A custom challenge that waits for its answer. */
export const PoolChallenge = t.readonly(
  t.type({
    /** The name with which the user began to sign in. */
    user: t.string,
    /** The `sub` of the account. Undefined for a name without an account. */
    sub: optional(t.string),
    /** The name that the pool's functions gave the challenge, as `challengeMetadata`. */
    name: optional(t.string),
    /** Milliseconds since the epoch. */
    ends: t.number,
    /**
     * The private parameters, with which the pool's functions check the answer. Undefined for visitors who may only
     * read.
     */
    parameters: optional(t.readonly(t.record(t.string, t.string))),
  }),
)
export type PoolChallenge = t.TypeOf<typeof PoolChallenge>

/** A challenge of a test sign-in. */
const SignInChallenge = t.readonly(
  t.type({
    name: t.string,
    client: t.string,
    /** The name of the user in the next request. */
    user: t.string,
    session: t.string,
    /** The public parameters. */
    parameters: t.readonly(t.record(t.string, t.string)),
    /** The private parameters of a custom challenge, with which the pool's functions check the answer. */
    privateParameters: optional(t.readonly(t.record(t.string, t.string))),
    /** Whether the console can answer the challenge. */
    canAnswer: t.boolean,
  }),
)

/** The result of a test sign-in: decoded tokens, or the challenge that comes next. */
export const PoolSignIn = t.readonly(
  t.type({
    idToken: optional(Token),
    accessToken: optional(Token),
    hasRefreshToken: t.boolean,
    /** The challenge with which the sign-in continues. Undefined if the sign-in returned tokens. */
    challenge: optional(SignInChallenge),
  }),
)
export type PoolSignIn = t.TypeOf<typeof PoolSignIn>

/** A request to sign in as a test. Custom authentication may begin without the password. */
export const SignInToTry = t.readonly(
  t.intersection([
    t.type({ name: t.string }),
    t.partial({
      password: t.string,
      /** The client. Default: the first one that has a flow of the console. */
      client: t.string,
      /** Whether to use custom authentication, even if the client has another flow. */
      isCustom: t.boolean,
    }),
  ]),
)
export type SignInToTry = t.TypeOf<typeof SignInToTry>

/** The answer to a challenge of a test sign-in. The other fields are those of the challenge. */
export const ChallengeAnswer = t.readonly(
  t.type({ client: t.string, user: t.string, challenge: t.string, session: t.string, answer: t.string }),
)
export type ChallengeAnswer = t.TypeOf<typeof ChallengeAnswer>

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
  /** Returns the custom challenges that wait for their answers, the latest first. */
  readonly challenges: (pool: string) => Promise<readonly PoolChallenge[]>
  readonly signIn: (pool: string, request: SignInToTry) => Promise<PoolSignIn>
  readonly answer: (pool: string, answer: ChallengeAnswer) => Promise<PoolSignIn>
}

interface Attributes {
  readonly [name: string]: string
}
