import {
  configOption,
  defineCommand,
  printable,
  printableJson,
  refuseOperands,
  table,
} from '@signalbox/platform-runtime/command-line'
import { runningPools } from './running-pools.ts'

/** Shows the user pools and their clients. */
export const pools = defineCommand({
  name: 'pools',
  summary: 'Show the user pools and their clients: ids, users, secrets',
  usage: '[--secrets] [--config FILE] [--json]',
  details:
    'Asks the running platform, which also knows the pools that its API has created. Secrets of clients are shown only when asked for.',
  examples: [['signalbox pools', 'a line for each client of each pool']],
  options: {
    secrets: { type: 'boolean', help: 'show the secrets of clients' },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object for each pool' },
  },
  async run({ config, json = false, secrets = false }, operands, terminal) {
    refuseOperands('pools', operands)
    const running = await runningPools(terminal, config)
    const all = await Promise.all(
      running.pools.map(async ({ id, name, clients }) => {
        const described = await running.call('DescribeUserPool', { UserPoolId: id })
        const wired = await Promise.all(
          clients.map(async client => {
            const found = await running.call('DescribeUserPoolClient', {
              UserPoolId: id,
              ClientId: client.id,
            })
            const { ClientSecret: secret } = found.UserPoolClient as { readonly ClientSecret?: string }
            return {
              name: client.name,
              id: client.id,
              flows: client.flows,
              ...(secret !== undefined && { secret: secrets ? secret : 'hidden; see --secrets' }),
            }
          }),
        )
        const { EstimatedNumberOfUsers: users } = described.UserPool as {
          readonly EstimatedNumberOfUsers: number
        }
        return { name, id, url: running.url, users, clients: wired }
      }),
    )
    if (json) for (const pool of all) terminal.print(printableJson(pool))
    else
      terminal.print(
        table(
          ['pool', 'id', 'users', 'client', 'client id', 'flows', 'secret'],
          all.flatMap(({ name, id, users, clients }) => {
            const pool = [printable(name), id, String(users)]
            if (clients.length === 0) return [[...pool, '-', '-', '-', '-']]
            return clients.map(client => [
              ...pool,
              printable(client.name),
              client.id,
              client.flows.join(','),
              client.secret ?? '-',
            ])
          }),
          terminal.paint,
        ),
      )
    return 0
  },
})
