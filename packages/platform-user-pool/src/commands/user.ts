import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { readAnswers } from './read-answers.ts'
import { poolNamed, type RunningPools, runningPools } from './running-pools.ts'

interface Target {
  readonly running: RunningPools
  readonly who: { readonly UserPoolId: string; readonly Username: string }
}

type Context = Parameters<Parameters<typeof defineCommand>[0]['run']>[2]

async function targetOf(
  command: string,
  operands: readonly string[],
  terminal: Context,
  config: string | undefined,
  most = 2,
): Promise<Target> {
  const [pool, Username] = operands
  if (pool === undefined || Username === undefined)
    throw new UsageError(`${command} needs a pool and a user.`)
  refuseOperands(command, operands, most)
  const running = await runningPools(terminal, config)
  return { running, who: { UserPoolId: poolNamed(running.pools, pool).id, Username } }
}

/** A command that changes one user, and prints nothing. */
function userCommand(name: string, summary: string, operation: string) {
  return defineCommand({
    name: `user ${name}`,
    summary,
    usage: 'POOL USER [--config FILE]',
    details: 'Asks the running platform.',
    examples: [[`signalbox user ${name} staff ann`, summary.toLowerCase()]],
    options: { config: configOption },
    async run({ config }, operands, terminal) {
      const { running, who } = await targetOf(`user ${name}`, operands, terminal, config)
      await running.call(operation, who)
      return 0
    },
  })
}

const show = defineCommand({
  name: 'user show',
  summary: 'Show a user of a pool, as JSON',
  usage: 'POOL USER [--config FILE]',
  details: 'Asks the running platform.',
  examples: [['signalbox user show staff ann', 'attributes, status and groups']],
  options: { config: configOption },
  async run({ config }, operands, terminal) {
    const { running, who } = await targetOf('user show', operands, terminal, config)
    const user = await running.call('AdminGetUser', who)
    const { Groups } = await running.call('AdminListGroupsForUser', who)
    const names = (Groups as readonly { readonly GroupName: string }[]).map(({ GroupName }) => GroupName)
    terminal.print(JSON.stringify({ ...user, Groups: names }, null, 2))
    return 0
  },
})

const add = defineCommand({
  name: 'user add',
  summary: 'Add a user to a pool, who chooses a password at the first sign-in',
  usage: 'POOL USER [--password [--permanent]] [--attribute K=V]… [--config FILE]',
  details:
    'Asks the running platform. Sends an invitation, unless a password is given: at the prompt, or as a line of the standard input.',
  examples: [
    ['signalbox user add staff ann --attribute email=ann@example.com', 'invites by e-mail'],
    [
      'signalbox user add staff bob --password --permanent',
      'asks for the password of a user who can sign in at once',
    ],
  ],
  options: {
    password: { type: 'boolean', help: 'ask for the first password, instead of making and sending one' },
    permanent: { type: 'boolean', help: 'the password stays' },
    attribute: { type: 'string', short: 'a', multiple: true, value: 'K=V', help: 'an attribute' },
    config: configOption,
  },
  async run({ config, password: isGiven = false, permanent = false, attribute = [] }, operands, terminal) {
    if (permanent && !isGiven) throw new UsageError('--permanent needs a --password.')
    const { running, who } = await targetOf('user add', operands, terminal, config)
    using answers = isGiven ? readAnswers(terminal) : undefined
    const password = await answers?.next('Password', { isHidden: true })
    await running.call('AdminCreateUser', {
      ...who,
      UserAttributes: attribute.map(text => {
        const at = text.indexOf('=')
        if (at < 1) throw new UsageError(`--attribute ${text}: expected NAME=VALUE.`)
        return { Name: text.slice(0, at), Value: text.slice(at + 1) }
      }),
      ...(password !== undefined && { TemporaryPassword: password, MessageAction: 'SUPPRESS' }),
    })
    if (permanent) await running.call('AdminSetUserPassword', { ...who, Password: password, Permanent: true })
    return 0
  },
})

const password = defineCommand({
  name: 'user password',
  summary: 'Set the password of a user',
  usage: 'POOL USER [--temporary] [--config FILE]',
  details: 'Asks the running platform. The password is asked for, or is a line of the standard input.',
  examples: [['signalbox user password staff ann', 'asks for a password that stays']],
  options: {
    temporary: { type: 'boolean', help: 'the user has to choose another one' },
    config: configOption,
  },
  async run({ config, temporary = false }, operands, terminal) {
    const { running, who } = await targetOf('user password', operands, terminal, config)
    using answers = readAnswers(terminal)
    const Password = await answers.next('Password', { isHidden: true })
    await running.call('AdminSetUserPassword', { ...who, Password, Permanent: !temporary })
    return 0
  },
})

const group = defineCommand({
  name: 'user group',
  summary: 'Put a user into a group, or take it out',
  usage: 'POOL USER GROUP [--remove] [--config FILE]',
  details: 'Asks the running platform.',
  examples: [['signalbox user group staff ann admins', 'ann is in admins']],
  options: { remove: { type: 'boolean', help: 'take the user out' }, config: configOption },
  async run({ config, remove = false }, operands, terminal) {
    const [, , GroupName] = operands
    if (GroupName === undefined) throw new UsageError('user group needs a pool, a user and a group.')
    const { running, who } = await targetOf('user group', operands, terminal, config, 3)
    await running.call(remove ? 'AdminRemoveUserFromGroup' : 'AdminAddUserToGroup', { ...who, GroupName })
    return 0
  },
})

/** The commands for one user. */
export const userCommands = [
  add,
  show,
  userCommand('confirm', 'Confirm a user who has signed up', 'AdminConfirmSignUp'),
  userCommand('disable', 'Let a user sign in no more', 'AdminDisableUser'),
  userCommand('enable', 'Let a user sign in again', 'AdminEnableUser'),
  userCommand('delete', 'Delete a user', 'AdminDeleteUser'),
  password,
  group,
]
