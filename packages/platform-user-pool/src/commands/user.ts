import { unknownName } from '@signalbox/platform-runtime'
import {
  columns,
  configOption,
  defineCommand,
  printable,
  printableJson,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import type { ShownPool } from '../api/operations/extensions.ts'
import { standardAttributes, verifications } from '../standard-attributes.ts'
import { readAnswers } from './read-answers.ts'
import { poolNamed, type RunningPools, runningPools } from './running-pools.ts'

interface Target {
  readonly running: RunningPools
  readonly pool: ShownPool
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
  const found = poolNamed(running, pool)
  return { running, pool: found, who: { UserPoolId: found.id, Username } }
}

const jsonOption = { type: 'boolean', help: 'print one JSON object' } as const

/** Prints the result of a command that changes a user. */
function report({ print }: Context, user: string, done: string, json: boolean): void {
  print(json ? printableJson({ user, done }) : printable(`${user} ${done}`))
}

/**
 * Defines a command that changes one user.
 * @param done the past participle that is printed after the user name
 */
function userCommand(name: string, done: string, summary: string, operation: string) {
  return defineCommand({
    name: `user ${name}`,
    summary,
    usage: 'POOL USER [--config FILE] [--json]',
    details: 'Asks the running platform.',
    examples: [[`signalbox user ${name} staff ann`, `prints: ann ${done}`]],
    options: { config: configOption, json: jsonOption },
    async run({ config, json = false }, operands, terminal) {
      const { running, who } = await targetOf(`user ${name}`, operands, terminal, config)
      await running.call(operation, who)
      report(terminal, who.Username, done, json)
      return 0
    },
  })
}

interface ShownUser {
  readonly Username: string
  readonly UserStatus: string
  readonly Enabled: boolean
  readonly UserCreateDate: number
  readonly UserAttributes: readonly { readonly Name: string; readonly Value: string }[]
  readonly UserMFASettingList?: readonly string[]
}

const show = defineCommand({
  name: 'user show',
  summary: 'Show a user of a pool: attributes, status, groups and second factors',
  usage: 'POOL USER [--config FILE] [--json]',
  details: 'Asks the running platform.',
  examples: [['signalbox user show staff ann', 'a line for each attribute']],
  options: { config: configOption, json: jsonOption },
  async run({ config, json = false }, operands, terminal) {
    const { running, who } = await targetOf('user show', operands, terminal, config)
    const user = (await running.call('AdminGetUser', who)) as unknown as ShownUser
    const { Groups } = await running.call('AdminListGroupsForUser', who)
    const groups = (Groups as readonly { readonly GroupName: string }[]).map(({ GroupName }) => GroupName)
    if (json) terminal.print(printableJson({ ...user, Groups: groups }))
    else terminal.print(columns(linesOf(user, groups)))
    return 0
  },
})

function linesOf(user: ShownUser, groups: readonly string[]): [string, string][] {
  const list = (values: readonly string[] = []) => (values.length === 0 ? '-' : values.join(', '))
  const lines: [string, string][] = [
    ['name', user.Username],
    ['status', user.UserStatus],
    ['enabled', user.Enabled ? 'yes' : 'no'],
    ['created', new Date(user.UserCreateDate * 1000).toISOString()],
    ['groups', list(groups)],
    ['second factors', list(user.UserMFASettingList)],
    ...user.UserAttributes.map(({ Name, Value }): [string, string] => [Name, Value]),
  ]
  return lines.map(([name, value]) => [name, printable(value)])
}

const add = defineCommand({
  name: 'user add',
  summary: 'Add a user to a pool, who chooses a password at the first sign-in',
  usage: 'POOL USER [--password [--permanent]] [--attribute K=V]… [--config FILE] [--json]',
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
    json: jsonOption,
  },
  async run(
    { config, password: isGiven = false, permanent = false, attribute = [], json = false },
    operands,
    terminal,
  ) {
    if (permanent && !isGiven) throw new UsageError('--permanent needs a --password.')
    const attributes = attribute.map(text => {
      const at = text.indexOf('=')
      if (at < 1) throw new UsageError(`--attribute ${text}: expected NAME=VALUE.`)
      return { Name: text.slice(0, at), Value: text.slice(at + 1) }
    })
    const { running, pool, who } = await targetOf('user add', operands, terminal, config)
    const known = [...standardAttributes, ...verifications, ...pool.custom.map(each => `custom:${each}`)]
    const unknown = attributes.find(({ Name }) => !known.includes(Name))
    if (unknown !== undefined) throw new Error(unknownName('attribute', unknown.Name, known))
    using answers = isGiven ? readAnswers(terminal) : undefined
    const password = await answers?.next('Password', { isHidden: true })
    await running.call('AdminCreateUser', {
      ...who,
      UserAttributes: attributes,
      ...(password !== undefined && { TemporaryPassword: password, MessageAction: 'SUPPRESS' }),
    })
    if (permanent) await running.call('AdminSetUserPassword', { ...who, Password: password, Permanent: true })
    report(terminal, who.Username, 'added', json)
    return 0
  },
})

const password = defineCommand({
  name: 'user password',
  summary: 'Set the password of a user',
  usage: 'POOL USER [--temporary] [--config FILE] [--json]',
  details: 'Asks the running platform. The password is asked for, or is a line of the standard input.',
  examples: [['signalbox user password staff ann', 'asks for a password that stays']],
  options: {
    temporary: { type: 'boolean', help: 'the user has to choose another one' },
    config: configOption,
    json: jsonOption,
  },
  async run({ config, temporary = false, json = false }, operands, terminal) {
    const { running, who } = await targetOf('user password', operands, terminal, config)
    using answers = readAnswers(terminal)
    const Password = await answers.next('Password', { isHidden: true })
    await running.call('AdminSetUserPassword', { ...who, Password, Permanent: !temporary })
    report(terminal, who.Username, 'changed', json)
    return 0
  },
})

const group = defineCommand({
  name: 'user group',
  summary: 'Add a user to a group, or remove one from it',
  usage: 'POOL USER GROUP [--remove] [--config FILE] [--json]',
  details: 'Asks the running platform.',
  examples: [['signalbox user group staff ann admins', 'ann is in admins']],
  options: { remove: { type: 'boolean', help: 'take the user out' }, config: configOption, json: jsonOption },
  async run({ config, remove = false, json = false }, operands, terminal) {
    const [, , GroupName] = operands
    if (GroupName === undefined) throw new UsageError('user group needs a pool, a user and a group.')
    const { running, who } = await targetOf('user group', operands, terminal, config, 3)
    const operation = remove ? 'AdminRemoveUserFromGroup' : 'AdminAddUserToGroup'
    await running.call(operation, { ...who, GroupName }).catch(async (error: Error) => {
      if (error.message !== 'Group not found.') throw error
      const { Groups } = await running.call('ListGroups', { UserPoolId: who.UserPoolId })
      const groups = (Groups as readonly { readonly GroupName: string }[]).map(each => each.GroupName)
      throw new Error(unknownName('group', GroupName, groups), { cause: error })
    })
    const done = `${remove ? 'removed from' : 'added to'} ${GroupName}`
    report(terminal, who.Username, done, json)
    return 0
  },
})

/** The commands that act on one user. */
export const userCommands = [
  add,
  show,
  userCommand('confirm', 'confirmed', 'Confirm a user who has signed up', 'AdminConfirmSignUp'),
  userCommand('disable', 'disabled', 'Block a user from signing in', 'AdminDisableUser'),
  userCommand('enable', 'enabled', 'Let a user sign in again', 'AdminEnableUser'),
  userCommand('delete', 'deleted', 'Delete a user', 'AdminDeleteUser'),
  password,
  group,
]
