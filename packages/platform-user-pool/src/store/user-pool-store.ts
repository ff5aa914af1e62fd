type AccountStatus =
  | 'UNCONFIRMED'
  | 'CONFIRMED'
  | 'RESET_REQUIRED'
  | 'FORCE_CHANGE_PASSWORD'
  /** An external provider authenticates the user, so the account has no password. */
  | 'EXTERNAL_PROVIDER'

/** An account of a pool. Times are milliseconds since the epoch. */
export interface User {
  /** The claim `sub`. */
  readonly id: string
  /** The user name, which never changes. */
  readonly name: string
  readonly status: AccountStatus
  readonly enabled: boolean
  /**
   * The attributes, without `sub`. An address is verified if `email_verified` or `phone_number_verified` is `'true'`.
   */
  readonly attributes: { readonly [name: string]: string }
  /** The encrypted data for checking the password. Undefined if the account has no password. */
  readonly password: string | undefined
  /** The time when a temporary password from an administrator expires. */
  readonly passwordExpires?: number | undefined
  /** The account's second factors and devices. Undefined when it has never had any. */
  readonly factors?: Factors | undefined
  /** The names that the account signs in with, normalized. Each is unique in its pool. */
  readonly signInNames: readonly string[]
  readonly created: number
  readonly modified: number
}

/** A second factor: a code of an authenticator, or a code that is sent. */
export type Factor = 'totp' | 'sms' | 'email'

/** The second factors of an account. */
export interface Factors {
  /** The encrypted secret that an authenticator shares with the pool. */
  readonly totp?: string | undefined
  /** The name that the user gave the authenticator. */
  readonly totpName?: string | undefined
  readonly enabled: readonly Factor[]
  /** The factor that a sign-in asks for when the account has several factors. */
  readonly preferred?: Factor | undefined
}

/** A stored account with its revision. */
export interface StoredUser extends User {
  readonly revision: number
}

/**
 * The stored form of something that is valid for a limited time, such as a code, a session or a refresh
 * token.
 */
export interface Credential {
  readonly kind:
    | 'code'
    | 'session'
    | 'grant'
    | 'refresh'
    | 'spent'
    | 'device'
    | 'passkey'
    | 'link'
    | 'import'
    | 'file'
  /** The id, which never equals the secret. */
  readonly id: string
  /** The `id` of the account that the credential belongs to. */
  readonly user: string
  /** The time when the credential expires. */
  readonly expires: number
  /** Additional data, in which secrets are encrypted. */
  readonly value: string
}

export interface Group {
  readonly name: string
  readonly description?: string | undefined
  /** The precedence of the group's role. Lower numbers come first. */
  readonly precedence?: number | undefined
  readonly role?: string | undefined
  readonly created: number
  readonly modified: number
}

/** A message about an account: an e-mail or a text message. */
export interface Message {
  readonly id: string
  readonly user: string
  /** The occasion: the part of a trigger source after the underscore, such as `SignUp`. */
  readonly occasion: string
  readonly medium: 'EMAIL' | 'SMS'
  readonly to: string
  /**
   * `waiting` until it is `sent`, or `failed` when all attempts failed. `kept` when no sender is configured.
   * A `feigned` message is neither sent nor listed, and is removed at once.
   */
  readonly state: 'waiting' | 'sent' | 'kept' | 'failed' | 'feigned'
  /** The encrypted code, text and further data for triggers. Empty after the message has expired. */
  readonly contents: string
  /** The time when the code of the message expires. */
  readonly ends: number
  readonly created: number
}

/** The reason why a change was refused. */
export type Refusal =
  /** An account was changed after it was read, or a group or account no longer exists. */
  | 'changed'
  /** Another account already has this sign-in name. */
  | 'name taken'
  /** A credential that the change requires does not exist, or a credential that the change forbids exists. */
  | 'gone'
  /** The account is locked after too many wrong passwords. */
  | 'locked'
  /** A group with this name already exists. */
  | 'group taken'

/** A change of a pool's data that happens completely or not at all. */
export interface Change {
  readonly pool: string
  readonly now: number
  /** The new state of accounts. `was` is the revision that was read. It is undefined for a new account. */
  readonly users?: readonly { readonly user: User; readonly was: number | undefined }[]
  /** An account that must not have changed since it was read. */
  readonly unchanged?: { readonly id: string; readonly was: number }
  /** An account to delete, with everything that belongs to it. */
  readonly removedUser?: { readonly id: string; readonly was: number }
  /**
   * Credentials to delete. The change is refused unless each one exists, and has this value if a value is
   * given.
   */
  readonly uses?: readonly (Pick<Credential, 'kind' | 'id'> & { readonly value?: string })[]
  /** Credentials that must exist and stay unchanged. The change is refused unless each one exists. */
  readonly needs?: readonly Pick<Credential, 'kind' | 'id'>[]
  /** Credentials that must not exist. The change is refused if one of them exists. */
  readonly lacks?: readonly Pick<Credential, 'kind' | 'id'>[]
  /** Credentials to add. The change is refused if one of them already exists. */
  readonly adds?: readonly Credential[]
  /** Credentials to write, which replace existing ones with the same kind and id. */
  readonly puts?: readonly Credential[]
  /**
   * Credentials to delete if they exist: a single credential, or all credentials of certain kinds that belong to an
   * account.
   */
  readonly ends?: readonly (
    | { readonly user: string; readonly kinds: readonly Credential['kind'][] }
    | Pick<Credential, 'kind' | 'id'>
  )[]
  readonly messages?: readonly Message[]
  /**
   * An attempt to enter a password. The change is refused while the account is locked. A right password
   * resets the count.
   */
  readonly attempt?: { readonly key: string; readonly isRight: boolean }
  readonly group?: { readonly group: Group; readonly isNew: boolean }
  readonly removedGroup?: string
  readonly member?: { readonly user: string; readonly group: string; readonly isIn: boolean }
}

/** The options that select the accounts of a list. */
export interface UserQuery {
  readonly limit: number
  /** The user name after which the list starts. */
  readonly after?: string | undefined
  readonly filter?: UserFilter | undefined
  readonly group?: string | undefined
}

/** A filter that selects accounts by one of their values. */
export interface UserFilter {
  /** The name of an attribute, or `username`, `sub`, `status` or `enabled`. */
  readonly name: string
  readonly value: string
  /** Whether every attribute value that begins with `value` matches. Otherwise, only an equal value matches. */
  readonly isPrefix: boolean
}

export interface StoredKey {
  readonly id: string
  readonly use: 'id' | 'access'
  readonly state: 'next' | 'current' | 'retired'
  /** The encrypted private key. */
  readonly key: string
  readonly created: number
  /** The time when the last token that the key signed expires. Undefined until the key is retired. */
  readonly expires: number | undefined
}

/** A pool that was created by the API. */
export interface StoredPool {
  readonly id: string
  /** The description of the pool as JSON. */
  readonly description: string
  readonly revision: number
}

/**
 * The storage port of user pools: accounts and their data. When a call resolves, its whole change is stored.
 * When it rejects, nothing has changed.
 */
export interface UserPoolStore {
  readonly user: (pool: string, id: string) => Promise<StoredUser | undefined>
  /** Returns the account with this sign-in name or user name. The name must be normalized. */
  readonly userNamed: (pool: string, name: string) => Promise<StoredUser | undefined>
  /** Lists accounts in order of user name. */
  readonly users: (pool: string, query: UserQuery) => Promise<readonly StoredUser[]>
  readonly countUsers: (pool: string) => Promise<number>
  /** Returns a credential, or undefined if it has expired. */
  readonly credential: (
    pool: string,
    kind: Credential['kind'],
    id: string,
    now: number,
  ) => Promise<Credential | undefined>
  /** Lists the credentials of one kind that an account has, in order of id, without expired credentials. */
  readonly credentialsOf: (
    pool: string,
    user: string,
    kind: Credential['kind'],
    now: number,
  ) => Promise<readonly Credential[]>
  /** Returns whether an account is locked because of wrong passwords. */
  readonly isLocked: (pool: string, key: string, now: number) => Promise<boolean>
  /** Counts a rate-limited action. Returns false when the limit is reached. */
  readonly count: (pool: string, key: string, limit: CountLimit, now: number) => Promise<boolean>
  readonly groups: (pool: string) => Promise<readonly Group[]>
  /** Returns the groups of an account, sorted by precedence (lowest number first), then by name. */
  readonly groupsOf: (pool: string, user: string) => Promise<readonly Group[]>
  /** Lists the messages of a pool, the latest first, without feigned messages. */
  readonly messages: (pool: string) => Promise<readonly Message[]>
  /** Returns the waiting messages of all pools. */
  readonly waitingMessages: () => Promise<readonly (Message & { readonly pool: string })[]>
  readonly setMessage: (pool: string, message: Pick<Message, 'id' | 'state' | 'contents'>) => Promise<void>
  readonly removeMessage: (pool: string, id: string) => Promise<void>
  /**
   * Deletes the contents of expired messages in every pool. Expired messages that are still waiting become `failed`.
   */
  readonly emptyMessages: (now: number) => Promise<void>
  /** Makes a change completely or not at all. */
  readonly change: (change: Change) => Promise<Refusal | undefined>
  readonly keys: (pool: string) => Promise<readonly StoredKey[]>
  /**
   * Replaces the signing keys of a pool. Does nothing and returns false when the stored keys have changed since they
   * were read.
   */
  readonly setKeys: (pool: string, keys: readonly StoredKey[], read: readonly string[]) => Promise<boolean>
  /** Returns the pools that were created by the API, in order of their ids. */
  readonly pools: () => Promise<readonly StoredPool[]>
  /**
   * Writes a pool that was created by the API. Returns false and changes nothing when the stored revision is
   * not `was`, which is undefined for a new pool.
   */
  readonly setPool: (pool: Omit<StoredPool, 'revision'>, was: number | undefined) => Promise<boolean>
  /** Removes a pool that was created by the API, with everything that belongs to it. */
  readonly removePool: (id: string) => Promise<void>
  readonly close: () => Promise<void>
}

export interface CountLimit {
  readonly most: number
  /** The length of the period in milliseconds. */
  readonly window: number
}
