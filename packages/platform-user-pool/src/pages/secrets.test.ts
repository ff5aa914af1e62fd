import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import type { Source } from '@signalbox/user-pool/contract'
import * as oidc from 'openid-client'
import { everythingIn } from '../testing/everything-in.ts'
import { federatedSetup } from '../testing/federated-setup.ts'
import { hostedSetup, password } from '../testing/hosted-setup.ts'
import type { Answers } from '../testing/pool-setup.ts'

type Hosted = Awaited<ReturnType<typeof hostedSetup>>

/** A flow in a browser or a program. Returns the secrets that were sent and received. */
interface WebFlow {
  readonly name: string
  readonly sources: readonly Source[]
  readonly run: (folder: string, answers: Answers) => Promise<{ secrets: readonly unknown[]; said: string }>
}

const clientSecret = 'aSecretOfTwentyEight+Letters'

/** Returns the text of a platform's invocation log and notices. */
const saidBy = async ({ setup }: Hosted) =>
  [JSON.stringify(await setup.platform.invocationLog.list()), ...setup.notices]
    .join('\n')
    .replaceAll('\\', '')

const tokensOf = (tokens: oidc.TokenEndpointResponse) => [
  tokens.access_token,
  tokens.id_token,
  tokens.refresh_token,
]

const flows: readonly WebFlow[] = [
  {
    name: 'a sign-in on a hosted page',
    sources: ['TokenGeneration_HostedAuth'],
    async run(dataDir, answers) {
      await using hosted = await hostedSetup({ answers, dataDir })
      const { address } = await hosted.ask()
      await hosted.visitor.send(await hosted.visitor.open(address.href), {
        username: 'ann',
        password: 'Wrong-7',
      })
      const early = [...hosted.visitor.cookies.values()]
      const { tokens, returned, checks } = await hosted.signedIn()
      await oidc
        .authorizationCodeGrant(hosted.config, new URL(returned.url), checks)
        .catch(() => 'the code was used before')
      const code = new URL(returned.url).searchParams.get('code')
      const cookies = [...early, ...hosted.visitor.cookies.values()]
      const secrets = [password, 'Wrong-7', code, checks.pkceCodeVerifier, ...cookies, ...tokensOf(tokens)]
      return { secrets, said: await saidBy(hosted) }
    },
  },
  {
    name: 'a sign-in of a program with its own credentials',
    sources: ['TokenGeneration_ClientCredentials'],
    async run(dataDir, answers) {
      await using hosted = await hostedSetup({
        answers,
        dataDir,
        version: 3,
        client: { secret: clientSecret, grants: ['client_credentials'], scopes: ['orders/read'] },
        pool: { resourceServers: { orders: { scopes: { read: 'Read orders' } } } },
      })
      const tokens = await oidc.clientCredentialsGrant(hosted.config, { scope: 'orders/read' })
      const wrong = await hosted.configure('web', oidc.ClientSecretBasic('another-secret-of-a-client'))
      await oidc.clientCredentialsGrant(wrong).catch(() => 'refused')
      const secrets = [clientSecret, 'another-secret-of-a-client', tokens.access_token]
      return { secrets, said: await saidBy(hosted) }
    },
  },
  {
    name: 'a sign-in at another provider',
    sources: ['InboundFederation_ExternalProvider', 'PreSignUp_ExternalProvider'],
    async run(dataDir, answers) {
      await using setup = await federatedSetup(
        { ...answers, InboundFederation_ExternalProvider: () => ({ userAttributesToMap: {} }) },
        dataDir,
      )
      const { pool } = setup
      const { there, back, checks } = await setup.signInThere()
      const returned = await pool.visitor.open(back.href)
      const tokens = await oidc.authorizationCodeGrant(pool.config, new URL(returned.url), checks)
      const log = await pool.setup.platform.invocationLog.list()
      const sent = pool.setup.events.find(({ triggerSource }) => triggerSource.startsWith('Inbound'))!
      const { tokenResponse } = sent.request.attributes as { tokenResponse: oidc.TokenEndpointResponse }
      expect(log.length).toBeGreaterThan(0)
      const codes = [back, new URL(returned.url)].map(({ searchParams }) => searchParams.get('code'))
      const state = there.searchParams.get('state')
      const cookies = pool.visitor.cookies.values()
      const secrets = [clientSecret, password, state, ...codes, ...cookies]
      return {
        secrets: [...secrets, ...tokensOf(tokens), ...tokensOf(tokenResponse)],
        said: await saidBy(pool),
      }
    },
  },
]

it.each(flows.map(flow => [flow.name, flow] as const))(
  '%s leaves no secret in files, logs or notices',
  async (_name, { sources, run }) => {
    using folder = temporaryFolder()
    const answers = Object.fromEntries(sources.map(source => [source, () => ({})])) as Answers
    const { secrets, said } = await run(folder.path, answers)
    for (const source of sources) expect(said).toContain(source)
    const kept = everythingIn(folder.path)
    expect(kept).toContain('SQLite format')
    const known = secrets.filter(secret => typeof secret === 'string' && secret !== '') as string[]
    expect(known.length).toBeGreaterThan(2)
    expect(known.filter(secret => kept.includes(secret))).toEqual([])
    expect(known.filter(secret => said.includes(secret))).toEqual([])
  },
)
