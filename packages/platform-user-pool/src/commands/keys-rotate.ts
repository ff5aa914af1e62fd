import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { poolNamed, runningPools } from './running-pools.ts'

/** Rotates the signing keys of a pool. */
export const keysRotate = defineCommand({
  name: 'keys rotate',
  summary: 'Start signing with the next keys of a user pool',
  usage: 'POOL [--config FILE] [--json]',
  details: `Asks the running platform. The keys that signed so far stay published until no token of theirs is valid any more, and the keys that follow are published at once. Do not rotate again before the longest token has ended.`,
  examples: [['signalbox keys rotate staff', 'prints the ids of the keys that sign now']],
  options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object' } },
  async run({ config, json = false }, operands, terminal) {
    const [name] = operands
    if (name === undefined) throw new UsageError('keys rotate needs a pool.')
    refuseOperands('keys rotate', operands, 1)
    const running = await runningPools(terminal, config)
    const { KeyIds } = await running.call('RotateSigningKeys', {
      UserPoolId: poolNamed(running, name).id,
    })
    const ids = KeyIds as readonly string[]
    if (json) terminal.print(JSON.stringify({ keys: ids }))
    else for (const id of ids) terminal.print(id)
    return 0
  },
})
