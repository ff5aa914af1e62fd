import { createHmac } from 'node:crypto'
import { unknownName } from '@signalbox/platform-runtime'
import {
  configOption,
  defineCommand,
  printable,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import { type PasswordChallenge, srpClient } from '../srp/srp-client.ts'
import { type Answers, readAnswers } from './read-answers.ts'
import { poolNamed, type RunningPools, runningPools } from './running-pools.ts'

/** Signs a user in as an application does. */
export const signIn = defineCommand({
  name: 'sign-in',
  summary: 'Sign in as a user of a pool, and print the tokens',
  usage: 'POOL USER [--client NAME] [--custom] [--decode] [--config FILE] [--json]',
  details:
    'Asks the running platform, through the flow that the client has: every trigger is called. The password and the answers to challenges are asked for, or are lines of the standard input.',
  examples: [
    ['signalbox sign-in staff ann', 'asks for the password, and prints the tokens'],
    ['signalbox sign-in staff ann --decode', 'prints what the tokens claim'],
  ],
  options: {
    client: { type: 'string', value: 'NAME', help: 'the client (default: the first)' },
    custom: { type: 'boolean', help: 'custom authentication, without a password' },
    decode: { type: 'boolean', help: 'print the claims of the tokens' },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object' },
  },
  async run({ config, client: wanted, custom = false, decode = false, json = false }, operands, terminal) {
    const [name, user] = operands
    if (name === undefined || user === undefined) throw new UsageError('sign-in needs a pool and a user.')
    refuseOperands('sign-in', operands, 2)
    const running = await runningPools(terminal, config)
    const pool = poolNamed(running.pools, name)
    const client = pool.clients.find(each => wanted === undefined || each.name === wanted)
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
  readonly pool: PoolSettings
  readonly client: ClientSettings
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

async function signedIn(attempt: Attempt, user: string, isCustom: boolean): Promise<Texts> {
  const { running, pool, client, answers, show } = attempt
  const hash = await secretHash(attempt)
  const isSrp = !isCustom && !client.flows.includes('password')
  const flow = isCustom ? 'custom' : isSrp ? 'srp' : 'password'
  if (!client.flows.includes(flow))
    throw new Error(
      `The client ${client.name} does not have the flow '${flow}'. Its flows are ${client.flows.join(', ')}.`,
    )
  const password = isCustom ? undefined : await answers.next('Password', { isHidden: true })
  const half = isSrp ? srpClient(pool.id, password!) : undefined
  let step: Step = await running.call('InitiateAuth', {
    ClientId: client.id,
    AuthFlow: isCustom ? 'CUSTOM_AUTH' : isSrp ? 'USER_SRP_AUTH' : 'USER_PASSWORD_AUTH',
    AuthParameters: {
      USERNAME: user,
      ...hash(user),
      ...(half !== undefined ? { SRP_A: half.SRP_A } : isCustom ? {} : { PASSWORD: password }),
    },
  })
  while (step.AuthenticationResult === undefined) {
    const { ChallengeName = '', ChallengeParameters = {}, Session } = step
    const USERNAME = ChallengeParameters.USER_ID_FOR_SRP ?? ChallengeParameters.USERNAME ?? user
    const field = answerFields[ChallengeName]
    let responses: Texts
    if (ChallengeName === 'PASSWORD_VERIFIER' && half !== undefined)
      responses = half.prove(ChallengeParameters as unknown as PasswordChallenge)
    else if (field === undefined)
      throw new Error(`The sign-in goes on with ${ChallengeName}, which this command cannot answer.`)
    else {
      show(`${ChallengeName} ${JSON.stringify(ChallengeParameters)}`)
      responses = { [field]: await answers.next(field, { isHidden: field === 'NEW_PASSWORD' }) }
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
  if (client.secret === false) return () => ({})
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
