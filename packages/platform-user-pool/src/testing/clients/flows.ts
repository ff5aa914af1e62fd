import { JwtVerifier } from 'aws-jwt-verify'
import { validateCognitoJwtFields } from 'aws-jwt-verify/cognito-verifier'

/** The address to which a client connects. */
export interface PoolAddress {
  readonly url: string
  readonly poolId: string
  readonly clientId: string
}

export interface ClientTokens {
  readonly idToken: string
  readonly accessToken: string
}

/** A client library for user pools. It signs in one user at a time. */
export interface StockClient {
  /**
   * Resolves to the masked address that the code was sent to. The same is true for the other functions that send a
   * code.
   */
  readonly signUp: (name: string, password: string, email: string) => Promise<string | undefined>
  readonly confirm: (name: string, code: string) => Promise<unknown>
  readonly signIn: (name: string, password: string) => Promise<ClientTokens>
  /** Signs in by password and then by custom challenges. The given strings are the answers. */
  readonly signInByChallenges: (
    name: string,
    password: string,
    answers: readonly string[],
  ) => Promise<ClientTokens>
  readonly refresh: () => Promise<ClientTokens>
  readonly changeEmail: (email: string) => Promise<string | undefined>
  readonly verifyEmail: (code: string) => Promise<unknown>
  readonly attributes: () => Promise<{ readonly [name: string]: string | undefined }>
  readonly forgotPassword: (name: string) => Promise<string | undefined>
  readonly replacePassword: (name: string, code: string, password: string) => Promise<unknown>
  readonly signOutEverywhere: () => Promise<unknown>
}

const name = 'ann'
const first = 'Right-7even'
const second = 'Other-8ight'
const wrong = '000000'

/**
 * Runs every flow with a client, and prints the results. It runs in a separate process and gets the address in its
 * arguments, so that the client cannot depend on the test.
 */
export async function printFlows(connect: (address: PoolAddress) => StockClient): Promise<void> {
  const [url = '', poolId = '', clientId = ''] = process.argv.slice(2)
  const client = connect({ url, poolId, clientId })
  const code = () => latestCode(url, poolId)
  const who = async ({ idToken, accessToken }: ClientTokens) => {
    const verified = await verify({ url, poolId, clientId }, { idToken, accessToken })
    return verified['cognito:username']
  }

  const to = await client.signUp(name, first, 'ann@example.com')
  const early = await failure(client.signIn(name, first))
  const signUp = { to, early }

  const confirm = {
    wrong: await failure(client.confirm(name, wrong)),
    right: await failure(client.confirm(name, await code())),
    again: await failure(client.confirm(name, wrong)),
  }

  const srp = {
    wrong: await failure(client.signIn(name, 'Wrong-7even')),
    right: await who(await client.signIn(name, first)),
  }

  const custom = {
    wrongPassword: await failure(client.signInByChallenges(name, 'Wrong-7even', ['7'])),
    wrongAnswers: await failure(client.signInByChallenges(name, first, ['1', '2'])),
    secondAnswer: await who(await client.signInByChallenges(name, first, ['6', '7'])),
  }

  const before = await client.signIn(name, first)
  const after = await client.refresh()
  const refresh = {
    isNew: after.accessToken !== before.accessToken && after.idToken !== before.idToken,
    isSameSignIn: claim(after.accessToken, 'origin_jti') === claim(before.accessToken, 'origin_jti'),
    user: await who(after),
  }

  const attribute = {
    to: await client.changeEmail('new@example.com'),
    wrong: await failure(client.verifyEmail(wrong)),
    right: await failure(client.verifyEmail(await code())),
    email: (await client.attributes()).email,
    verified: (await client.attributes()).email_verified,
  }

  const forgotten = {
    to: await client.forgotPassword(name),
    wrong: await failure(client.replacePassword(name, wrong, second)),
    weak: await failure(client.replacePassword(name, wrong, 'weak')),
    right: await failure(client.replacePassword(name, await code(), second)),
    oldPassword: await failure(client.signIn(name, first)),
    newPassword: await who(await client.signIn(name, second)),
  }

  const { accessToken: elsewhere } = await client.signIn(name, second)
  const here = await client.signIn(name, second)
  await client.signOutEverywhere()
  const signOut = {
    here: await getUser(url, here.accessToken),
    elsewhere: await getUser(url, elsewhere),
    refresh: await failure(client.refresh()).then(said => said !== undefined),
  }

  const printed = { signUp, confirm, srp, custom, refresh, attribute, forgotten, signOut }
  process.stdout.write(JSON.stringify(printed, (_, value) => value ?? null))
}

/** Returns the name and message of the error, or undefined if the work succeeds. */
function failure(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  )
}

function claim(token: string, claimName: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())[claimName]
}

/** Checks both tokens by `aws-jwt-verify` with the published keys, and returns the claims of the identity token. */
async function verify({ url, poolId, clientId }: PoolAddress, { idToken, accessToken }: ClientTokens) {
  const issuer = `${url}/${poolId}`
  // `aws-jwt-verify` refuses to fetch keys over http, so the keys are fetched here.
  const keys = await (await fetch(`${issuer}/.well-known/jwks.json`)).json()
  const verified = await Promise.all(
    ([idToken, accessToken] as const).map(async (token, at) => {
      const tokenUse = at === 0 ? 'id' : 'access'
      const verifier = JwtVerifier.create({
        issuer,
        audience: null,
        jwksUri: `${issuer}/.well-known/jwks.json`,
        customJwtCheck: ({ payload }) => validateCognitoJwtFields(payload, { tokenUse, clientId }),
      })
      verifier.cacheJwks(keys)
      return verifier.verify(token)
    }),
  )
  return verified[0]!
}

async function call(url: string, operation: string, input: object): Promise<{ [name: string]: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify(input),
  })
  return (await response.json()) as { [name: string]: unknown }
}

async function latestCode(url: string, UserPoolId: string): Promise<string> {
  const { Messages } = await call(url, 'ListMessages', { UserPoolId, Limit: 1 })
  const [{ Text }] = Messages as readonly [{ readonly Text: string }]
  return /\d{6}/.exec(Text)?.[0] ?? ''
}

async function getUser(url: string, AccessToken: string): Promise<unknown> {
  const { message, Username } = await call(url, 'GetUser', { AccessToken })
  return message ?? Username
}
