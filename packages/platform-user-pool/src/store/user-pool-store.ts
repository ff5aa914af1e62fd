type AccountStatus =
  | 'UNCONFIRMED'
  | 'CONFIRMED'
  | 'RESET_REQUIRED'
  | 'FORCE_CHANGE_PASSWORD'
  /** The account has no password, because an external provider authenticates the user. */
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
  /** The account's second factors and devices. Undefined if it has never had any. */
  readonly factors?: Factors | undefined
  /** The normalized names that the account can sign in with. Each name is unique in its pool. */
  readonly signInNames: readonly string[]
  readonly created: number
  readonly modified: number
}

/** A second factor, which is a code from an authenticator (`totp`) or a code that is sent. */
export type Factor = 'totp' | 'sms' | 'email'

/** The second factors of an account. */
export interface Factors {
  /** The encrypted secret that an authenticator shares with the pool. */
  readonly totp?: string | undefined
  /** The name that the user gave the authenticator. */
  readonly totpName?: string | undefined
  readonly enabled: readonly Factor[]
  /** The factor that a sign-in asks for if the account has several. */
  readonly preferred?: Factor | undefined
}

/** A stored account with its revision. */
export interface StoredUser extends User {
  readonly revision: number
}

/** The stored form of a code, a session, a refresh token or something else that expires. */
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
    | 'client'
    | 'consent'
    | 'document'
    /** A sign-in in the history of its user. */
    | 'sign-in'
    /** An account that came from another pool, and does not come again. */
    | 'migrated'
  /** The id, which never equals the secret. */
  readonly id: string
  /** The `id` of the credential's account. */
  readonly user: string
  /** The time when the credential expires. */
  readonly expires: number
  /** Additional data. Secrets in it are encrypted. */
  readonly value: string
}

/** How many milliseconds the data of a pool can be valid at most. */
export interface LongestLives {
  readonly temporaryPassword: number
  /** The lives of credentials by kind, without the kinds that never expire. */
  readonly credentials: Readonly<Partial<Record<Credential['kind'], number>>>
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
  /** The occasion, which is the part of a trigger source after the underscore, such as `SignUp`. */
  readonly occasion: string
  readonly medium: 'EMAIL' | 'SMS'
  readonly to: string
  /**
   * A message is `waiting` until it is `sent`, or `failed` if all attempts have failed. It is `kept` if no sender is
   * configured. A `feigned` message is neither sent nor listed, and is removed at once.
   */
  readonly state: 'waiting' | 'sent' | 'kept' | 'failed' | 'feigned'
  /** The encrypted code, text and other data for triggers. Empty when the message has expired. */
  readonly contents: string
  /** The time when the code of the message expires. */
  readonly ends: number
  readonly created: number
}

/** The reason why a change was refused. */
export type Refusal =
  /** An account has changed since it was read, or a group or account no longer exists. */
  | 'changed'
  /** Another account already has this sign-in name. */
  | 'name taken'
  /** A credential that the change requires does not exist, or a credential that the change forbids exists. */
  | 'gone'
  /** Too many wrong passwords have locked the account. */
  | 'locked'
  /** A group with this name already exists. */
  | 'group taken'

/** A change to a pool's data, which is made completely or not at all. */
export interface Change {
  readonly pool: string
  readonly now: number
  /**
   * The new state of accounts. `was` is the revision that was read. It is undefined for a new account, which joins those of
   * the `groups` that exist.
   */
  readonly users?: readonly {
    readonly user: User
    readonly was: number | undefined
    readonly groups?: readonly string[]
  }[]
  /** An account that must not have changed since it was read. */
  readonly unchanged?: { readonly id: string; readonly was: number }
  /** An account to delete, along with everything that belongs to it. */
  readonly removedUser?: { readonly id: string; readonly was: number }
  /**
   * Credentials to delete. The change is refused if one of them does not exist, or has a value other than the given
   * one.
   */
  readonly uses?: readonly (Pick<Credential, 'kind' | 'id'> & { readonly value?: string })[]
  /** Credentials that must exist. They stay unchanged. The change is refused if one of them does not exist. */
  readonly needs?: readonly Pick<Credential, 'kind' | 'id'>[]
  /** Credentials that must not exist. The change is refused if one of them exists. */
  readonly lacks?: readonly Pick<Credential, 'kind' | 'id'>[]
  /** Credentials to add. The change is refused if one of them already exists. */
  readonly adds?: readonly Credential[]
  /** Credentials to write. They replace existing ones of the same kind and id. */
  readonly puts?: readonly Credential[]
  /**
   * Credentials to delete if they exist. An entry names a single credential, or all of an account's credentials of
   * certain kinds.
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

/** The options for listing accounts. */
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
  /** Whether an attribute value matches if it begins with `value`. Otherwise, it must equal `value`. */
  readonly isPrefix: boolean
}

export interface StoredKey {
  readonly id: string
  readonly use: 'id' | 'access'
  readonly state: 'next' | 'current' | 'retired'
  /** The encrypted private key. */
  readonly key: string
  readonly created: number
  /** The time when the key's last token expires. Undefined until the key is retired. */
  readonly expires: number | undefined
}

/** A pool created through the API. */
export interface StoredPool {
  readonly id: string
  /** The description of the pool as JSON. */
  readonly description: string
  readonly revision: number
}

/**
 * The storage port of user pools, for accounts and their data. When a call resolves, its whole change is stored. When a
 * call rejects, nothing has changed.
 */
export interface UserPoolStore {
  readonly user: (pool: string, id: string) => Promise<StoredUser | undefined>
  /** Returns the account with this sign-in name or user name. The name must be normalized. */
  readonly userNamed: (pool: string, name: string) => Promise<StoredUser | undefined>
  /** Lists accounts in order of user name. */
  readonly users: (pool: string, query: UserQuery) => Promise<readonly StoredUser[]>
  readonly countUsers: (pool: string) => Promise<number>
  /** Returns a credential, or undefined if it does not exist or has expired. */
  readonly credential: (
    pool: string,
    kind: Credential['kind'],
    id: string,
    now: number,
  ) => Promise<Credential | undefined>
  /** Lists an account's credentials of one kind in order of id, without expired ones. */
  readonly credentialsOf: (
    pool: string,
    user: string,
    kind: Credential['kind'],
    now: number,
  ) => Promise<readonly Credential[]>
  /** Lists the credentials of one kind of all accounts that expire last, without expired ones. */
  readonly latestCredentials: (
    pool: string,
    kind: Credential['kind'],
    now: number,
    most: number,
  ) => Promise<readonly Credential[]>
  /** Counts the credentials of one kind of all accounts, without expired ones. */
  readonly countCredentials: (pool: string, kind: Credential['kind'], now: number) => Promise<number>
  /** Returns the credential of one kind of all accounts that expires first, without expired ones. */
  readonly nextToExpire: (
    pool: string,
    kind: Credential['kind'],
    now: number,
  ) => Promise<Credential | undefined>
  /** Returns whether wrong passwords have locked an account. */
  readonly isLocked: (pool: string, key: string, now: number) => Promise<boolean>
  /** Counts a rate-limited action. Returns false when the limit is reached. */
  readonly count: (pool: string, key: string, limit: CountLimit, now: number) => Promise<boolean>
  readonly groups: (pool: string) => Promise<readonly Group[]>
  /** Returns the groups of an account, sorted by precedence (lowest number first), then by name. */
  readonly groupsOf: (pool: string, user: string) => Promise<readonly Group[]>
  /** Lists the messages of a pool with the latest first. Feigned messages are left out. */
  readonly messages: (pool: string) => Promise<readonly Message[]>
  /** Returns the waiting messages of all pools. */
  readonly waitingMessages: () => Promise<readonly (Message & { readonly pool: string })[]>
  readonly setMessage: (pool: string, message: Pick<Message, 'id' | 'state' | 'contents'>) => Promise<void>
  readonly removeMessage: (pool: string, id: string) => Promise<void>
  /**
   * Deletes the contents of expired messages in every pool. Expired messages that are still waiting become `failed`.
   */
  readonly emptyMessages: (now: number) => Promise<void>
  /** Makes a change, either completely or not at all. */
  readonly change: (change: Change) => Promise<Refusal | undefined>
  readonly keys: (pool: string) => Promise<readonly StoredKey[]>
  /**
   * Replaces the signing keys of a pool. Returns false and changes nothing if the stored keys have changed since they
   * were read.
   */
  readonly setKeys: (pool: string, keys: readonly StoredKey[], read: readonly string[]) => Promise<boolean>
  /** Returns the pools created through the API, in order of their ids. */
  readonly pools: () => Promise<readonly StoredPool[]>
  /**
   * Writes a pool created through the API. Returns false and changes nothing if the stored revision differs from
   * `was`, which is undefined for a new pool.
   */
  readonly setPool: (pool: Omit<StoredPool, 'revision'>, was: number | undefined) => Promise<boolean>
  /** Removes a pool created through the API, with everything that belongs to it. */
  readonly removePool: (id: string) => Promise<void>
  /**
   * If the clock was set back since the latest change, cuts what would be valid for longer than it may. Only a platform
   * that starts may call this.
   * @param lives the longest lives by pool
   */
  readonly correctTimes: (now: number, lives: ReadonlyMap<string, LongestLives>) => Promise<void>
  /**
   * Deletes everything but the signing keys of the pools that the API did not create. Absent in a store that several
   * platforms share.
   */
  readonly clear?: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface CountLimit {
  readonly most: number
  /** The length of the period in milliseconds. */
  readonly window: number
}
