import * as oidc from 'openid-client'
import type { ClientConfig } from '../config/client-config.ts'
import type { UserPoolConfig, UserPoolListenerConfig } from '../config/user-pool-config.ts'
import { listeningPool } from './listening-pool.ts'
import { pageVisitor } from './page-visitor.ts'
import type { Answers } from './pool-setup.ts'

export const callback = 'http://localhost:3000/cb'
export const password = 'Right-7even'

/**
 * Starts a pool with a listener and a user, an `openid-client` that is configured by discovery, and a page
 * visitor.
 */
export async function hostedSetup({
  client = {},
  pool = {},
  answers = {},
  returnTo = callback,
  listener = {},
  dataDir = ':memory:',
  version,
}: {
  client?: ClientConfig
  pool?: Partial<UserPoolConfig>
  answers?: Answers
  /** The redirect URI of the client. */
  returnTo?: string
  listener?: UserPoolListenerConfig
  dataDir?: string
  /** The version of token-generation events. */
  version?: 3
} = {}) {
  const setup = await listeningPool(
    {
      answers,
      ...(version !== undefined && {
        triggers: Object.fromEntries(
          Object.keys(answers).map(source => [source, { function: 'work', version }]),
        ) as never,
      }),
      clients: {
        web: { id: 'web', callbacks: [returnTo], logouts: ['http://localhost:3000/bye'], ...client },
        other: { id: 'other', callbacks: [returnTo] },
      },
      ...pool,
    },
    dataDir,
    listener,
  )
  const staff = setup.platform.userPools.get('staff')
  await staff.users.add('ann', {
    password,
    attributes: {
      email: 'ann@example.com',
      email_verified: 'true',
      given_name: 'Ann',
      family_name: 'Ash',
      birthdate: '2000-01-31',
    },
  })
  const configure = (id: string, authentication?: oidc.ClientAuth) =>
    oidc.discovery(new URL(staff.issuer), id, undefined, authentication, {
      execute: [oidc.allowInsecureRequests],
    })
  const secret = typeof client.secret === 'string' ? client.secret : undefined
  const config = await configure('web', secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret))
  const visitor = pageVisitor(setup.url)
  const ask = async (more: { [name: string]: string } = {}) => {
    const verifier = oidc.randomPKCECodeVerifier()
    const state = oidc.randomState()
    const nonce = oidc.randomNonce()
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: returnTo,
      scope: 'openid email',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...more,
    })
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
    return { address, checks }
  }
  /** Signs in. Returns the next page, which is the client's redirect URI with a code. */
  const signIn = async (address: URL, username = 'ann', given = password) => {
    const page = await visitor.open(address.href)
    return visitor.send(page, { username, password: given })
  }
  const signedIn = async (more: { [name: string]: string } = {}) => {
    const { address, checks } = await ask(more)
    const returned = await signIn(address)
    const tokens = await oidc.authorizationCodeGrant(config, new URL(returned.url), checks)
    return { tokens, returned, checks }
  }
  return {
    setup,
    url: setup.url,
    staff,
    config,
    configure,
    visitor,
    ask,
    signIn,
    signedIn,
    post: (path: string, form: { [name: string]: string }, headers: { [name: string]: string } = {}) =>
      fetch(`${staff.issuer}${path}`, { method: 'POST', body: new URLSearchParams(form), headers }),
    [Symbol.asyncDispose]: () => setup[Symbol.asyncDispose](),
  }
}
