import { expect, it } from '@jest/globals'
import { challenges } from '../testing/challenges.ts'
import { poolId, poolSetup } from '../testing/pool-setup.ts'
import { countStore, workOf } from '../testing/work-count.ts'
import { hostedPage } from './hosted-pages.ts'

const parameters = new URLSearchParams({
  client_id: 'web',
  redirect_uri: 'http://localhost:3000/cb',
  response_type: 'code',
  scope: 'openid',
  state: 'a-state',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})

/** Sets up a pool, and a browser that opens its hosted pages. */
async function browserSetup(options: Parameters<typeof poolSetup>[0]) {
  const setup = await poolSetup({
    ...options,
    client: { callbacks: ['http://localhost:3000/cb'], ...options?.client },
  })
  const pool = setup.engine.poolOf(poolId)
  let cookies: string | undefined
  const ask = async (path: string, form?: URLSearchParams) => {
    const method = form === undefined ? ('GET' as const) : ('POST' as const)
    const given = {
      query: parameters,
      form,
      authorization: undefined,
      cookies,
      fetchSite: undefined,
      origin: 'https://pools.example',
      sdk: 'x',
    }
    const answer = (await hostedPage(setup.engine, pool, { method, path, ...given }))!
    cookies = [answer.headers['set-cookie']].flat()[0]?.split(';')[0] ?? cookies
    return answer
  }
  const page = await ask('/login')
  const token = /name="_token" value="([^"]*)"/.exec(page.body)![1]!
  return {
    ...setup,
    send: (path: string, fields: { readonly [name: string]: string }) =>
      ask(path, new URLSearchParams({ _token: token, ...fields })),
    [Symbol.asyncDispose]: () => setup[Symbol.asyncDispose](),
  }
}

type BrowserSetup = Awaited<ReturnType<typeof browserSetup>>

const passkey = { pool: { firstFactors: ['password', 'passkey'] } } as const

/** Returns the hidden form fields of a page. */
function hiddenFields(body: string): { [name: string]: string } {
  const fields = [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name, value]) => [name!, value!]))
}

const proof = JSON.stringify({
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: {
    clientDataJSON: Buffer.from(
      JSON.stringify({ type: 'webauthn.get', challenge: 'AAAA', origin: 'https://pools.example' }),
    ).toString('base64url'),
    authenticatorData: 'AAAA',
    signature: 'AAAA',
  },
})

it.each<[string, (setup: BrowserSetup, username: string) => Promise<{ body: string }>, object?]>([
  ['a wrong password', (setup, username) => setup.send('/login', { username, password: 'Wrong-7even' })],
  ['a forgotten password', (setup, username) => setup.send('/forgotPassword', { username })],
  [
    'a wrong code for a forgotten password',
    (setup, username) =>
      setup.send('/confirmForgotPassword', { username, code: '0', new_password: 'Other-7even' }),
  ],
  ['a wrong code for a sign-up', (setup, username) => setup.send('/confirmUser', { username, code: '0' })],
  ['a request to resend a code', (setup, username) => setup.send('/resendCode', { username })],
  [
    'a wrong answer to a custom challenge',
    async (setup, username) => {
      const { body } = await setup.send('/login', { username, by: 'custom' })
      return setup.send('/challenge', {
        ...hiddenFields(body),
        challenge: 'CUSTOM_CHALLENGE',
        answer: 'wrong',
      })
    },
    { answers: challenges },
  ],
  ['asking for a passkey', (setup, username) => setup.send('/login', { username, by: 'passkey' }), passkey],
  [
    'a wrong passkey',
    async (setup, username) => {
      const { body } = await setup.send('/login', { username, by: 'passkey' })
      return setup.send('/challenge', { ...hiddenFields(body), challenge: 'WEB_AUTHN', credential: proof })
    },
    passkey,
  ],
])(
  'on hosted pages, %s causes the same work and the same page for known and unknown user names',
  async (_what, guess, options = {}) => {
    await using setup = await browserSetup(options)
    await setup.user('ann')
    await setup.engine.settled()
    countStore(setup.store)
    const seen = []
    for (const name of ['ann', 'bob', 'cy', 'di', 'ed']) {
      let page = ''
      const work = await workOf(async () => {
        const { body } = await guess(setup, name)
        page = body
      })
      await setup.engine.settled()
      seen.push({ work, page: alike(page, name) })
    }
    expect(seen[0]!.page).not.toBe('')
    expect(seen[0]!.work.commits).toBeGreaterThan(0)
    for (const each of seen.slice(1)) expect(each).toEqual(seen[0])
  },
)

/**
 * Returns a page without the parts that always differ, which are the name, its masked address, sessions and options.
 */
function alike(page: string, name: string): string {
  return page
    .replaceAll(`value="${name}"`, 'value="NAME"')
    .replaceAll(/\w\*\*\*@\w\*\*\*/g, 'ADDRESS')
    .replaceAll(/name="(session|details)" value="[^"]*"/g, '$1')
    .replaceAll(/data-options="([^"]*)"/g, (_, options) => `options of ${sizes(options)}`)
}

/**
 * Returns the passkey options without ids and transports. These differ between unknown names just as they do between
 * users.
 */
function sizes(options: string): string {
  const { challenge, allowCredentials, ...others } = JSON.parse(Buffer.from(options, 'base64').toString())
  const fields = [...new Set(allowCredentials.flatMap((each: object) => Object.keys(each)))]
  return JSON.stringify({ ...others, userVerification: undefined, challenge: challenge.length, fields })
}
