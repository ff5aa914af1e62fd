/** What state an account is in. */
type AccountStatus = 'UNCONFIRMED' | 'CONFIRMED' | 'RESET_REQUIRED' | 'FORCE_CHANGE_PASSWORD'

/** An account of a pool. Times are milliseconds since the epoch. */
export interface User {
  /** The claim `sub`. */
  readonly id: string
  /** The user name, which never changes. */
  readonly name: string
  readonly status: AccountStatus
  readonly enabled: boolean
  /** Without `sub`. Verified attributes have `'true'` under `email_verified` or `phone_number_verified`. */
  readonly attributes: { readonly [name: string]: string }
  /** What a password is recognized by, sealed; undefined when there is none. */
  readonly password: string | undefined
  /** When a password that an administrator gave ends. */
  readonly passwordExpires?: number | undefined
  /** What the account signs in with, normalized; no two accounts of a pool share one. */
  readonly signInNames: readonly string[]
  readonly created: number
  readonly modified: number
}

/** An account as it is stored: with the number of its changes. */
export interface StoredUser extends User {
  readonly revision: number
}

/** What a client or a person holds for a limited time, such as a code or a refresh token. */
export interface Credential {
  readonly kind: 'code' | 'session' | 'grant' | 'refresh' | 'spent'
  /** Never the secret itself. */
  readonly id: string
  /** The `id` of the account that it belongs to. */
  readonly user: string
  /** When it ends. */
  readonly expires: number
  /** What else is to be known; without secrets, or sealed. */
  readonly value: string
}

/** A group of a pool. */
export interface Group {
  readonly name: string
  readonly description?: string | undefined
  /** The lower, the more its role counts. */
  readonly precedence?: number | undefined
  readonly role?: string | undefined
  readonly created: number
  readonly modified: number
}

/** A message about an account: an e-mail or a text. */
export interface Message {
  readonly id: string
  readonly user: string
  /** Why it is sent: the part of a trigger source behind the underscore, such as `SignUp`. */
  readonly occasion: string
  readonly medium: 'EMAIL' | 'SMS'
  readonly to: string
  /** `waiting` until it was `sent`, or `kept` here because nothing sends it, or given up. */
  readonly state: 'waiting' | 'sent' | 'kept' | 'failed'
  /** Sealed: the code, what was said, and what else the triggers are called with. Empty when it has ended. */
  readonly contents: string
  /** When its code counts no more. */
  readonly ends: number
  readonly created: number
}

/** Why nothing of a change was done. */
export type Refusal =
  /** An account that the change goes by was changed meanwhile, or a group or account is not there any more. */
  | 'changed'
  /** Another account signs in with this name. */
  | 'name taken'
  /** A credential that the change uses up is not there any more. */
  | 'gone'
  /** Too many wrong passwords. */
  | 'locked'
  /** A group of this name is there already. */
  | 'group taken'

/** What happens all at once, or not at all. */
export interface Change {
  readonly pool: string
  readonly now: number
  /** Accounts as they become; `was` is the revision that they were read with, undefined for new ones. */
  readonly users?: readonly { readonly user: User; readonly was: number | undefined }[]
  /** An account that must be as it was read. */
  readonly unchanged?: { readonly id: string; readonly was: number }
  /** An account to delete, with everything that belongs to it. */
  readonly removedUser?: { readonly id: string; readonly was: number }
  /** Credentials that are used up: the change is refused unless each is there, with this value when one is given. */
  readonly uses?: readonly (Pick<Credential, 'kind' | 'id'> & { readonly value?: string })[]
  /** Credentials that must not be there yet. */
  readonly adds?: readonly Credential[]
  /** Credentials that replace those of their kind and id. */
  readonly puts?: readonly Credential[]
  /** Credentials that end: those of some kinds that an account has, or one. */
  readonly ends?: readonly (
    | { readonly user: string; readonly kinds: readonly Credential['kind'][] }
    | Pick<Credential, 'kind' | 'id'>
  )[]
  readonly messages?: readonly Message[]
  /** An attempt at a password: refused while there were too many wrong ones. A right one forgets the wrong ones. */
  readonly attempt?: { readonly key: string; readonly isRight: boolean }
  readonly group?: { readonly group: Group; readonly isNew: boolean }
  readonly removedGroup?: string
  readonly member?: { readonly user: string; readonly group: string; readonly isIn: boolean }
}

/** Which accounts to list. */
export interface UserQuery {
  readonly limit: number
  /** The name of the last account that was listed. */
  readonly after?: string | undefined
  readonly filter?: UserFilter | undefined
  readonly group?: string | undefined
}

/** `name` is that of an attribute, or `username`, `sub`, `status` or `enabled`. */
export interface UserFilter {
  readonly name: string
  readonly value: string
  /** Whether the value is only the beginning. */
  readonly isPrefix: boolean
}

/** A signing key of a pool. */
export interface StoredKey {
  readonly id: string
  readonly use: 'id' | 'access'
  readonly state: 'next' | 'current' | 'retired'
  /** The private key, sealed. */
  readonly key: string
  readonly created: number
  /** When no token that it signed is valid any more; undefined until it is retired. */
  readonly expires: number | undefined
}

/**
 * Accounts and what belongs to them, wherever they are kept. Every call is whole: what it changes is stored when it
 * resolves, and nothing is when it rejects.
 */
export interface UserPoolStore {
  readonly user: (pool: string, id: string) => Promise<StoredUser | undefined>
  /** The account that signs in with a name, or has it as its user name. Normalized. */
  readonly userNamed: (pool: string, name: string) => Promise<StoredUser | undefined>
  /** In order of user name. */
  readonly users: (pool: string, query: UserQuery) => Promise<readonly StoredUser[]>
  readonly countUsers: (pool: string) => Promise<number>
  /** Undefined for one that has ended. */
  readonly credential: (
    pool: string,
    kind: Credential['kind'],
    id: string,
    now: number,
  ) => Promise<Credential | undefined>
  /** Whether an account's password may be tried now. */
  readonly isLocked: (pool: string, key: string, now: number) => Promise<boolean>
  /** Counts one more of something that may happen so often in a time; false when it may not happen now. */
  readonly count: (pool: string, key: string, limit: CountLimit, now: number) => Promise<boolean>
  readonly groups: (pool: string) => Promise<readonly Group[]>
  /** The groups of an account: the lowest precedence first, then by name. */
  readonly groupsOf: (pool: string, user: string) => Promise<readonly Group[]>
  /** The latest first. */
  readonly messages: (pool: string) => Promise<readonly Message[]>
  /** Those that are waiting, in every pool. */
  readonly waitingMessages: () => Promise<readonly (Message & { readonly pool: string })[]>
  readonly setMessage: (pool: string, message: Pick<Message, 'id' | 'state' | 'contents'>) => Promise<void>
  /** Empties the messages that have ended, in every pool, and gives up those that are waiting. */
  readonly emptyMessages: (now: number) => Promise<void>
  /** All or nothing. */
  readonly change: (change: Change) => Promise<Refusal | undefined>
  readonly keys: (pool: string) => Promise<readonly StoredKey[]>
  /** Replaces the keys of a pool, unless they are not those that were read: then nothing happens, and false. */
  readonly setKeys: (pool: string, keys: readonly StoredKey[], read: readonly string[]) => Promise<boolean>
  readonly close: () => Promise<void>
}

export interface CountLimit {
  readonly most: number
  /** Milliseconds. */
  readonly window: number
}
