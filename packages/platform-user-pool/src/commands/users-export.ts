import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { poolNamed, runningPools } from './running-pools.ts'

/** Prints all users of a pool in a form that can be imported. */
export const usersExport = defineCommand({
  name: 'users export',
  summary: 'Print the users of a pool, with the verifiers of their passwords',
  usage: 'POOL [--config FILE] > FILE',
  details:
    'Asks the running platform. Prints one JSON object for each user, with groups, second factors, devices and passkeys, which `users import` reads. Passwords and the secrets of authenticators cannot be read from it: they are encrypted with the key of the platform, and count for the same pool and key only. Sign-ins are not exported.',
  examples: [['signalbox users export staff > users.jsonl', 'a line for each user']],
  options: { config: configOption },
  async run({ config }, operands, terminal) {
    const [name] = operands
    if (name === undefined) throw new UsageError('users export needs a pool.')
    refuseOperands('users export', operands, 1)
    const running = await runningPools(terminal, config)
    const { id } = poolNamed(running, name)
    let count = 0
    for (let NextToken: unknown; ; ) {
      const answer = await running.call('ExportUsers', {
        UserPoolId: id,
        ...(typeof NextToken === 'string' && { NextToken }),
      })
      const users = answer.Users as readonly object[]
      // Clears the progress display before printing the next line.
      terminal.progress?.('')
      for (const user of users) terminal.print(JSON.stringify(user))
      count += users.length
      NextToken = answer.NextToken
      if (NextToken === undefined) break
      terminal.progress?.(`${count} users`)
      if (!terminal.stop.aborted) continue
      terminal.progress?.('')
      terminal.printError(`Stopped after ${count} users: the others were not printed.`)
      return 130
    }
    terminal.printError(`${count} ${count === 1 ? 'user' : 'users'}.`)
    return 0
  },
})
