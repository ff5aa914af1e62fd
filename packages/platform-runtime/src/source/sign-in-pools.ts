/** The users of another source, who sign in by OpenID Connect. */
export interface SignInPools {
  /**
   * Returns a client of a pool. Its secret need not be in the configuration.
   * @throws Error for a pool or a client that is not in the configuration, and before the pools have started
   */
  readonly clientOf: (pool: string, client: string) => SignInClient
}

/** A client of a pool, by which a source signs users in. */
export interface SignInClient {
  readonly clientId: string
  /** Undefined for a client without a secret. */
  readonly clientSecret: string | undefined
  /** The discovery document of the pool, with the addresses that browsers use. */
  readonly metadata: { readonly issuer: string; readonly [name: string]: unknown }
  /** Sends a request to an address in the discovery document, without a connection: the pool is in this process. */
  readonly send: (request: SignInRequest) => Promise<Response>
}

/** A request for an endpoint of a pool. */
export interface SignInRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
}

/** A client of a pool that a configuration names. */
export interface ClientReference {
  readonly pointer: string
  readonly pool: string
  readonly client: string
}
