import { unknownName } from '@signalbox/platform-runtime'
import {
  configOption,
  defineCommand,
  printable,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import type { ShownClient, ShownPool } from '../api/operations/extensions.ts'
import { answerFields, signInClient } from '../srp/sign-in-client.ts'
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

/** The flows of this command. The first one that the client has is used. */
const flows = ['password', 'srp', 'custom'] as const

async function signedIn(
  { running, pool, client, answers, show }: Attempt,
  user: string,
  isCustom: boolean,
): Promise<{ readonly [name: string]: string }> {
  const password = () => answers.next('Password', { isHidden: true })
  const flow = flowOf(client, isCustom)
  const { begin, answer } = await signInClient(running.call, pool.id, client)
  let step = await begin(flow, user, password)
  while (step.AuthenticationResult === undefined) {
    const { ChallengeName = '', ChallengeParameters = {} } = step
    const field = answerFields[ChallengeName]
    if (field === undefined)
      throw new Error(`The sign-in goes on with ${ChallengeName}, which this command cannot answer.`)
    const isNewPassword = field === 'NEW_PASSWORD'
    show(isNewPassword ? 'Choose a new password.' : `${ChallengeName} ${JSON.stringify(ChallengeParameters)}`)
    const given = await (isNewPassword
      ? answers.next('New password', { isHidden: true })
      : answers.next(field))
    step = await answer(step, user, { [field]: given })
  }
  return step.AuthenticationResult
}

function flowOf({ name, flows: known }: ShownClient, isCustom: boolean): (typeof flows)[number] {
  const flow = isCustom ? 'custom' : flows.find(each => known.includes(each))
  if (flow !== undefined && known.includes(flow)) return flow
  const wanted = isCustom ? "the flow 'custom'" : `a flow of this command (${flows.join(', ')})`
  throw new Error(`The client ${printable(name)} does not have ${wanted}. Its flows are ${known.join(', ')}.`)
}

function claimsOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}
