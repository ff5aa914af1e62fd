import { nearest } from '@signalbox/codec'
import {
  configOption,
  defineCommand,
  printable,
  printableJson,
  refuseOperands,
  table,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { poolNamed, runningPools } from './running-pools.ts'

interface WireUser {
  readonly Username: string
  readonly UserStatus: string
  readonly Enabled: boolean
  readonly Attributes: readonly { readonly Name: string; readonly Value: string }[]
}

/** Shows the users of a pool. */
export const users = defineCommand({
  name: 'users',
  summary: 'Show the users of a pool',
  usage: 'POOL [--filter F] [--config FILE] [--json]',
  details: 'Asks the running platform. A filter is one of the service, such as \'email ^= "ann"\'.',
  examples: [['signalbox users staff', 'a line for each user']],
  options: {
    filter: { type: 'string', value: 'F', help: 'only those that it fits' },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object for each' },
  },
  async run({ config, filter, json = false }, operands, terminal) {
    const [name] = operands
    if (name === undefined) throw new UsageError('users needs a pool.')
    const meant = nearest(name, ['import', 'export'])
    const misspelt =
      meant && new Error(`There is no command "users ${printable(name)}". Did you mean users ${meant}?`)
    // If there are several operands, the first one is probably a mistyped subcommand, such as `import`.
    if (misspelt && operands.length > 1) throw misspelt
    refuseOperands('users', operands, 1)
    const running = await runningPools(terminal, config).catch(error => {
      throw misspelt ?? error
    })
    if (misspelt && !running.pools.some(each => each.name === name || each.id === name)) throw misspelt
    const { id } = poolNamed(running, name)
    const all: WireUser[] = []
    for (let token: unknown; ; ) {
      const asked = {
        UserPoolId: id,
        ...(filter !== undefined && { Filter: filter }),
        ...(typeof token === 'string' && { PaginationToken: token }),
      }
      const answer = await running.call('ListUsers', asked).catch((error: Error) => {
        if (filter === undefined || !error.message.includes('filter')) throw error
        throw new UsageError(
          `--filter ${filter}: expected one such as 'email ^= "ann"' or 'status = "Enabled"'.`,
        )
      })
      all.push(...(answer.Users as readonly WireUser[]))
      token = answer.PaginationToken
      if (token === undefined) break
      terminal.progress?.(`${all.length} users`)
    }
    terminal.progress?.('')
    if (json) for (const user of all) terminal.print(printableJson(user))
    else if (all.length === 0) terminal.print('There are no such users.')
    else
      terminal.print(
        table(
          ['name', 'status', 'enabled', 'email', 'sub'],
          all.map(({ Username, UserStatus, Enabled, Attributes }) => {
            const value = (wanted: string) => Attributes.find(({ Name }) => Name === wanted)?.Value ?? '-'
            return [
              printable(Username),
              UserStatus,
              Enabled ? 'yes' : 'no',
              printable(value('email')),
              value('sub'),
            ]
          }),
          terminal.paint,
        ),
      )
    return 0
  },
})
