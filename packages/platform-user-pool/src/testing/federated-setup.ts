import type { UserPoolConfig } from '../config/user-pool-config.ts'
import { hostedSetup, password } from './hosted-setup.ts'
import { pageVisitor } from './page-visitor.ts'
import type { Answers } from './pool-setup.ts'

/** The client secret that the pool uses at its provider. */
const secret = 'aSecretOfTwentyEight+Letters'
// Each pool must know the other pool's address before it starts, so the ports are fixed. The system assigns free ports
// from a higher range.
let ports = 20_000 + (process.pid % 500) * 20

/** Starts a pool whose identity provider is a second pool on another listener. */
export async function federatedSetup(
  answers: Answers = {},
  dataDir?: string,
  more: Partial<UserPoolConfig> = {},
) {
  const port = ports
  ports += 2
  const pool = await hostedSetup({
    answers,
    ...(dataDir !== undefined && { dataDir }),
    listener: { port },
    pool: {
      ...more,
      // The provider can start later, because the pool contacts it only when a user signs in there.
      identityProviders: {
        Login: {
          issuer: `http://127.0.0.1:${port + 1}/eu-central-1_Staff01`,
          clientId: 'web',
          clientSecret: secret,
          attributes: { email: 'email', given_name: 'given_name' },
          identifiers: ['login.example'],
        },
      },
    },
  })
  const provider = await hostedSetup({
    listener: { port: port + 1 },
    returnTo: `${pool.staff.issuer}/oauth2/idpresponse`,
    client: { secret },
  })
  const atPool = pool.visitor
  const atProvider = pageVisitor(provider.url)
  return {
    pool,
    provider,
    /** Signs in at the provider. Resolves to the address that the provider sends the browser back to. */
    async signInThere(more: { [name: string]: string } = {}) {
      const { address, checks } = await pool.ask({ identity_provider: 'Login', ...more })
      const there = await atPool.open(address.href)
      const page = await atProvider.open(there.url)
      const isIn = page.url.startsWith(pool.url)
      const back = isIn ? page : await atProvider.send(page, { username: 'ann', password })
      return { there: new URL(there.url), back: new URL(back.url), checks }
    },
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}
