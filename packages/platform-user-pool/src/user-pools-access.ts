/** A message of a pool. It was sent, or is only stored because no sender is configured. */
export interface PoolText {
  readonly to: string
  readonly medium: 'EMAIL' | 'SMS'
  /** The occasion of the message, such as `SignUp`. */
  readonly occasion: string
  readonly subject: string | undefined
  /** The text of the message. Undefined if a function sends the message. */
  readonly text: string | undefined
}

/** The tokens of a user who has signed in. */
export interface PoolTokens {
  readonly idToken: string
  readonly accessToken: string
  readonly refreshToken: string | undefined
}

/** An account of a pool. */
export interface PoolUser {
  readonly sub: string
  readonly name: string
  readonly status: string
  readonly attributes: { readonly [name: string]: string }
}

/** A user pool of a running platform. */
export interface UserPool {
  readonly id: string
  readonly issuer: string
  /** The URL for clients. */
  readonly url: string
  /**
   * Returns the id of a client by its name.
   * @throws InvalidOptionError for an unknown name
   */
  readonly clientId: (name: string) => string
  readonly users: {
    /** Creates a confirmed account with a password, without sending a message. */
    readonly add: (
      name: string,
      account: { readonly password: string; readonly attributes?: { readonly [name: string]: string } },
    ) => Promise<PoolUser>
    readonly get: (name: string) => Promise<PoolUser | undefined>
    readonly list: () => Promise<readonly PoolUser[]>
  }
  /** Returns the latest code that was sent to a user by any medium, or undefined if no code was sent. */
  readonly code: (name: string) => Promise<string | undefined>
  /** Lists the messages of the pool, with the latest first. */
  readonly texts: () => Promise<readonly PoolText[]>
  /**
   * Signs a user in as a program with administrators' rights does. All triggers are called.
   * @param client the name of the client. Default: the first client with the flow `admin` or `password`.
   */
  readonly signIn: (name: string, password: string, client?: string) => Promise<PoolTokens>
}

/** The user pools of a platform. Their functions need a running platform. */
export interface UserPools {
  /**
   * Returns the user pool with this name.
   * @throws InvalidOptionError for an unknown name, and Error when the platform is not running
   * @example
   * const staff = platform.userPools.get('staff')
   * await staff.users.add('ann', { password: 'Right-7even' })
   * const { accessToken } = await staff.signIn('ann', 'Right-7even')
   */
  readonly get: (name: string) => UserPool
}

/** The user pools of a platform that has none in its configuration. */
export const noUserPools: UserPools = {
  get() {
    throw new Error('This platform has no user pools. Give its configuration `userPools`.')
  },
}
