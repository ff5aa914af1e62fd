import { setImmediate } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { sourcesOf, triggers } from '@signalbox/user-pool/contract'
import { everythingIn } from '../testing/everything-in.ts'
import { listeningPool } from '../testing/listening-pool.ts'
import { type Answers, clientId as ClientId, type poolSetup } from '../testing/pool-setup.ts'
import { triggerFlows } from '../testing/trigger-flows.ts'

type Setup = Awaited<ReturnType<typeof poolSetup>>

const secretFields = [
  'Password',
  'PASSWORD',
  'NEW_PASSWORD',
  'TemporaryPassword',
  'ANSWER',
  'ConfirmationCode',
  'Code',
  'EMAIL_OTP_CODE',
  'SMS_MFA_CODE',
  'Session',
  'AccessToken',
  'IdToken',
  'RefreshToken',
  'REFRESH_TOKEN',
]

/** Returns the values of all secret fields of an input or a response. */
function secretsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? (secretFields.includes(name) ? [inner] : []) : secretsOf(inner),
  )
}

/** Records every error of a running platform, and every secret in its requests and responses. */
function watched({ url, platform }: Awaited<ReturnType<typeof listeningPool>>) {
  const secrets = new Set<string>()
  const errors: string[] = []
  const note = (value: unknown) => {
    for (const secret of secretsOf(value)) secrets.add(secret)
  }
  const call: Setup['call'] = async (operation, input) => {
    note(input)
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
      body: JSON.stringify(input),
    })
    const text = await response.text()
    if (!response.ok) {
      errors.push(text, ...[...response.headers].flat())
      throw new Error(text)
    }
    const answer = JSON.parse(text)
    note(answer)
    return answer
  }
  const password = 'Right-7even'
  const signIn: Setup['signIn'] = (USERNAME = 'bob', PASSWORD = password) =>
    call('InitiateAuth', {
      ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME, PASSWORD },
    })
  const code = async () => (await platform.userPools.get('staff').code('bob')) ?? ''
  const setup = { call, signIn, code, password, engine: { settled: async () => {} } }
  return { setup: setup as unknown as Setup, secrets, errors }
}

/** The trigger sources with flows on hosted pages or OpenID Connect endpoints. `pages/secrets.test.ts` tests them. */
const withoutApi = [
  'PreSignUp_ExternalProvider',
  'TokenGeneration_HostedAuth',
  'TokenGeneration_ClientCredentials',
  'InboundFederation_ExternalProvider',
]

/** One trigger source for each API flow. A flow can have several sources. */
const flows = new Map(
  Object.keys(triggers)
    .flatMap(sourcesOf)
    .filter(source => !withoutApi.includes(source))
    .map(source => [triggerFlows[source].run, source] as const),
)

/** Responses that change nothing, so that every event of a flow appears in the invocation log. */
const idle = Object.fromEntries(
  Object.keys(triggers)
    .flatMap(sourcesOf)
    .filter(source =>
      /^(?:PreSignUp|PostConfirmation|PreAuth|PostAuth|TokenGen|Custom\w+Sender)/.test(source),
    )
    .map(source => [source, () => ({})]),
) as Answers

it.each([...flows.values()].map(source => [source] as const))(
  'the flow that calls %s leaves no secret in files, logs, notices or errors',
  async source => {
    const { run, answers = {}, pool = {} } = triggerFlows[source]
    using folder = temporaryFolder()
    let said = ''
    const secrets = new Set<string>()
    {
      await using platform = await listeningPool({ ...pool, answers: { ...idle, ...answers } }, folder.path)
      const noted = watched(platform)
      await run(noted.setup)
      // The error messages for a wrong password or an expired code might quote the input.
      await noted.setup.signIn('bob', 'Wrong-7even').catch(() => {})
      const ConfirmationCode = 'wrong-code'
      await noted.setup.call('ConfirmSignUp', { ClientId, Username: 'bob', ConfirmationCode }).catch(() => {})
      secrets.add(await noted.setup.code())
      for (const secret of noted.secrets) secrets.add(secret)
      // No flow waits for a sender, which is called after the answer.
      let log = ''
      for (let tries = 0; tries < 1000 && !log.includes(source); tries++) {
        await setImmediate()
        log = JSON.stringify(await platform.platform.invocationLog.list())
      }
      expect(log).toContain(source)
      said = [log, ...platform.notices, ...noted.errors].join('\n').replaceAll('\\', '')
    }
    secrets.delete('')
    expect(secrets.size).toBeGreaterThan(2)
    const kept = everythingIn(folder.path)
    expect(kept).toContain('SQLite format')
    for (const secret of secrets) {
      // Six digits can occur by chance, so the test searches for a code including its quotes.
      const form = /^\d{6}$/.test(secret) ? `"${secret}"` : secret
      expect(kept.includes(form)).toBe(false)
      expect(said.includes(form)).toBe(false)
    }
  },
)
