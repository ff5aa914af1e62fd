import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { UserPoolConfig } from '../config/user-pool-config.ts'
import { listeningPool } from './listening-pool.ts'
import type { Answers } from './pool-setup.ts'

interface Claims {
  readonly [name: string]: unknown
}

/** The identity token and the userinfo response of the next sign-in. */
interface NextAnswer {
  readonly claims: Claims
  readonly userInfo?: Claims
  readonly header?: object
  readonly signedWith?: KeyObject | 'nothing'
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A provider that sends any claims, with any signature. */
async function claimsProvider() {
  const { privateKey, publicKey } = newKey()
  let next: NextAnswer = { claims: {} }
  let nonce = ''
  let document: Claims = {}
  const asked: string[] = []
  let issuer = ''
  const idToken = () => {
    const now = Math.floor(Date.now() / 1000)
    const standard = { iss: issuer, aud: 'pool', iat: now, exp: now + 300, nonce }
    const content = `${encoded(next.header ?? { alg: 'RS256', kid: 'k' })}.${encoded({ ...standard, ...next.claims })}`
    if (next.signedWith === 'nothing') return `${content}.`
    return `${content}.${createSign('sha256')
      .update(content)
      .sign(next.signedWith ?? privateKey, 'base64url')}`
  }
  const answers: { readonly [path: string]: () => object } = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: next.userInfo && `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...document,
    }),
    '/keys': () => ({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
    }),
    '/token': () => ({ access_token: 'at', token_type: 'Bearer', id_token: idToken() }),
    '/userinfo': () => ({ sub: next.claims.sub, ...next.userInfo }),
  }
  const server = createServer(({ url = '/' }, response) => {
    asked.push(url)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers[url]?.() ?? {}))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    /** The paths of all requests. */
    asked,
    /** Replaces fields of the discovery document. */
    describe(fields: Claims) {
      document = fields
    },
    answer(answer: NextAnswer, nextNonce: string) {
      next = answer
      nonce = nextNonce
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const callback = 'http://localhost:3000/cb'

/** Starts a pool whose provider `Login` sends any claims. */
export async function claimsSetup({
  pool: more = {},
  attributes = { email: 'email' },
  answers = {},
  hasUserInfo = false,
}: {
  readonly pool?: Partial<UserPoolConfig>
  readonly attributes?: { readonly [attribute: string]: string }
  readonly answers?: Answers
  readonly hasUserInfo?: boolean
} = {}) {
  const provider = await claimsProvider()
  if (hasUserInfo) provider.describe({ userinfo_endpoint: `${provider.issuer}/userinfo` })
  const setup = await listeningPool({
    answers,
    clients: { web: { id: 'web', flows: ['password', 'admin'], callbacks: [callback] } },
    identityProviders: {
      Login: { issuer: provider.issuer, clientId: 'pool', clientSecret: 'a secret of the pool', attributes },
    },
    ...more,
  })
  const staff = setup.platform.userPools.get('staff')
  const base = `${setup.url}/${staff.id}`
  const call = async (operation: string, input: object) => {
    const answer = await fetch(setup.url, {
      method: 'POST',
      headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
      body: JSON.stringify({ UserPoolId: staff.id, ...input }),
    })
    return (await answer.json()) as { readonly [field: string]: unknown }
  }
  return {
    provider,
    staff,
    notices: setup.notices,
    call,
    /** Links a user of the provider, found by a claim, to an account. */
    link: (Username: string, ProviderAttributeName: string, ProviderAttributeValue: string) =>
      call('AdminLinkProviderForUser', {
        DestinationUser: { ProviderName: 'Cognito', ProviderAttributeValue: Username },
        SourceUser: { ProviderName: 'Login', ProviderAttributeName, ProviderAttributeValue },
      }),
    /**
     * Signs in with this answer of the provider. Resolves to the user name in the pool's token, or to the reason why the
     * pool refuses the user.
     */
    async signIn(answer: NextAnswer): Promise<string> {
      const verifier = randomBytes(32).toString('base64url')
      const query = new URLSearchParams({
        client_id: 'web',
        response_type: 'code',
        redirect_uri: callback,
        scope: 'openid',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        identity_provider: 'Login',
      })
      const there = await fetch(`${base}/oauth2/authorize?${query}`, { redirect: 'manual' })
      const { searchParams } = new URL(there.headers.get('location')!)
      const refusal = searchParams.get('error_description')
      if (refusal !== null) return refusal
      provider.answer(answer, searchParams.get('nonce')!)
      const back = new URLSearchParams({ code: 'any', state: searchParams.get('state')! })
      const cookie = there.headers.getSetCookie()[0]!.split(';')[0]!
      const returned = await fetch(`${base}/oauth2/idpresponse?${back}`, {
        redirect: 'manual',
        headers: { cookie },
      })
      const at = new URL(returned.headers.get('location')!).searchParams
      if (at.get('code') === null) return at.get('error_description')!
      const tokens = await fetch(`${base}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'web',
          redirect_uri: callback,
          code: at.get('code')!,
          code_verifier: verifier,
        }),
      })
      const { id_token } = (await tokens.json()) as { readonly id_token: string }
      return JSON.parse(Buffer.from(id_token.split('.')[1]!, 'base64url').toString())['cognito:username']
    },
    otherKey: () => newKey().privateKey,
    async [Symbol.asyncDispose]() {
      await setup[Symbol.asyncDispose]()
      provider.stop()
    },
  }
}
