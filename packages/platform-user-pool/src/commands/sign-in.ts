import { createHmac } from 'node:crypto'
import { unknownName } from '@signalbox/platform-runtime'
import {
  configOption,
  defineCommand,
  printable,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import type { ShownClient, ShownPool } from '../api/operations/extensions.ts'
import { type PasswordChallenge, srpClient } from '../srp/srp-client.ts'
import { type Answers, readAnswers } from './read-answers.ts'
import { poolNamed, type RunningPools, runningPools } from './running-pools.ts'

/** Signs a user in as an application does. */
export const signIn = defineCommand({
  name: 'sign-in',
  summary: 'Sign in as a user of a pool, and print the tokens',
  usage: 'POOL USER [--client NAME] [--custom] [--decode] [--config FILE] [--json]',
  details:
    'Asks the running platform, through the flow that the client has, with a password if possible: every trigger is called. Custom authentication first tries to begin without a password. The password and the answers to challenges are asked for, or are lines of the standard input.',
  examples: [
    ['signalbox sign-in staff ann', 'asks for the password, and prints the tokens'],
    ['signalbox sign-in staff ann --decode', 'prints what the tokens claim'],
  ],
  options: {
    client: { type: 'string', value: 'NAME', help: 'the client, or its id (default: the first)' },
    custom: { type: 'boolean', help: 'custom authentication, even if the client has another flow' },
    decode: { type: 'boolean', help: 'print the claims of the tokens' },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object' },
  },
  async run({ config, client: wanted, custom = false, decode = false, json = false }, operands, terminal) {
    const [name, user] = operands
    if (name === undefined || user === undefined) throw new UsageError('sign-in needs a pool and a user.')
    refuseOperands('sign-in', operands, 2)
    const running = await runningPools(terminal, config)
    const pool = poolNamed(running, name)
    if (pool.clients.length === 0) throw new Error(`The user pool ${printable(name)} has no client.`)
    const client = pool.clients.find(each => wanted === undefined || [each.name, each.id].includes(wanted))
    if (client === undefined)
      throw new Error(
        unknownName(
          'client',
          wanted ?? '',
          pool.clients.map(each => each.name),
        ),
      )
    using answers = readAnswers(terminal)
    const show = (text: string) => terminal.printError(printable(text))
    const tokens = await signedIn({ running, pool, client, answers, show }, user, custom)
    const { IdToken: idToken, AccessToken: accessToken, RefreshToken: refreshToken } = tokens
    const all = decode
      ? { id: claimsOf(idToken!), access: claimsOf(accessToken!) }
      : { idToken, accessToken, ...(refreshToken !== undefined && { refreshToken }) }
    if (json) terminal.print(JSON.stringify(all))
    else if (decode) terminal.print(JSON.stringify(all, null, 2))
    else for (const [kind, token] of Object.entries(all)) terminal.print(`${kind}  ${token}`)
    return 0
  },
})

interface Attempt {
  readonly running: RunningPools
  readonly pool: ShownPool
  readonly client: ShownClient
  readonly answers: Answers
  readonly show: (text: string) => void
}

type Texts = { readonly [name: string]: string }

/** The response to a sign-in step, which contains tokens or a challenge. */
interface Step {
  readonly AuthenticationResult?: Texts
  readonly ChallengeName?: string
  readonly ChallengeParameters?: Texts
  readonly Session?: string
}

/** The flows of this command. The first one that the client has is used. */
const flows = ['password', 'srp', 'custom'] as const

async function signedIn(attempt: Attempt, user: string, isCustom: boolean): Promise<Texts> {
  const { running, client, answers, show } = attempt
  const hash = await secretHash(attempt)
  const { half, ...begun } = await begin(attempt, flowOf(client, isCustom), { USERNAME: user, ...hash(user) })
  let { step } = begun
  while (step.AuthenticationResult === undefined) {
    const { ChallengeName = '', ChallengeParameters = {}, Session } = step
    const USERNAME = ChallengeParameters.USER_ID_FOR_SRP ?? ChallengeParameters.USERNAME ?? user
    const field = answerFields[ChallengeName]
    let responses: Texts
    if (ChallengeName === 'PASSWORD_VERIFIER' && half !== undefined)
      responses = half.prove(ChallengeParameters as unknown as PasswordChallenge)
    else if (field === undefined)
      throw new Error(`The sign-in goes on with ${ChallengeName}, which this command cannot answer.`)
    else if (field === 'NEW_PASSWORD') {
      show('Choose a new password.')
      responses = { [field]: await answers.next('New password', { isHidden: true }) }
    } else {
      show(`${ChallengeName} ${JSON.stringify(ChallengeParameters)}`)
      responses = { [field]: await answers.next(field) }
    }
    step = await running.call('RespondToAuthChallenge', {
      ClientId: client.id,
      ChallengeName,
      ChallengeResponses: { ...responses, USERNAME, ...hash(USERNAME) },
      ...(Session !== undefined && { Session }),
    })
  }
  return step.AuthenticationResult
}

function flowOf({ name, flows: known }: ShownClient, isCustom: boolean): (typeof flows)[number] {
  const flow = isCustom ? 'custom' : flows.find(each => known.includes(each))
  if (flow !== undefined && known.includes(flow)) return flow
  const wanted = isCustom ? "the flow 'custom'" : `a flow of this command (${flows.join(', ')})`
  throw new Error(`The client ${printable(name)} does not have ${wanted}. Its flows are ${known.join(', ')}.`)
}

/** Begins a sign-in. Returns its first step, and the client's half of SRP if the user gave a password for it. */
async function begin(
  { running, pool, client, answers }: Attempt,
  flow: (typeof flows)[number],
  name: Texts,
): Promise<{ readonly step: Step; readonly half?: ReturnType<typeof srpClient> }> {
  const initiate = (AuthFlow: string, more: Texts): Promise<Step> =>
    running.call('InitiateAuth', { ClientId: client.id, AuthFlow, AuthParameters: { ...name, ...more } })
  const password = () => answers.next('Password', { isHidden: true })
  if (flow === 'password')
    return { step: await initiate('USER_PASSWORD_AUTH', { PASSWORD: await password() }) }
  if (flow === 'custom') {
    try {
      return { step: await initiate('CUSTOM_AUTH', {}) }
    } catch (error) {
      // The pool does not say that the functions end a sign-in because it has to begin with the password.
      if ((error as Error).name !== 'NotAuthorizedException') throw error
    }
  }
  const half = srpClient(pool.id, await password())
  const { SRP_A } = half
  const step =
    flow === 'srp'
      ? await initiate('USER_SRP_AUTH', { SRP_A })
      : await initiate('CUSTOM_AUTH', { CHALLENGE_NAME: 'SRP_A', SRP_A })
  return { step, half }
}

/** The names of the fields that hold the user's answers, by challenge. */
const answerFields: { readonly [challenge: string]: string } = {
  NEW_PASSWORD_REQUIRED: 'NEW_PASSWORD',
  CUSTOM_CHALLENGE: 'ANSWER',
  SOFTWARE_TOKEN_MFA: 'SOFTWARE_TOKEN_MFA_CODE',
  SMS_MFA: 'SMS_MFA_CODE',
  EMAIL_OTP: 'EMAIL_OTP_CODE',
}

/**
 * Returns a function that computes the parameter `SECRET_HASH` for a user name. If the client has no secret, the
 * function returns an empty object.
 */
async function secretHash({ running, pool, client }: Attempt): Promise<(name: string) => Texts> {
  if (!client.hasSecret) return () => ({})
  const asked = { UserPoolId: pool.id, ClientId: client.id }
  const { UserPoolClient } = await running.call('DescribeUserPoolClient', asked)
  const { ClientSecret } = UserPoolClient as { readonly ClientSecret: string }
  return name => ({
    SECRET_HASH: createHmac('sha256', ClientSecret).update(name).update(client.id).digest('base64'),
  })
}

function claimsOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}
