import { unknownName } from '@signalbox/platform-runtime'
import {
  configOption,
  defineCommand,
  refuseOperands,
  sourceCommands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import type { Scope } from '../mcp/serve.ts'
import { ownVersion } from '../own-code.ts'
import { program } from '../source-modules.ts'
import { log } from './log.ts'
import { replay } from './replay.ts'
import { sample } from './sample.ts'
import { trace } from './trace.ts'

/** Serves tools to a coding agent. */
export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve tools to a coding agent, over stdin and stdout',
  usage: '[--allow-changes] [--identity NAME] [--config FILE]',
  details: `Speaks the Model Context Protocol. The tools list and explain invocations, show queues, mails and codes, check events and
find options. They read unless --allow-changes is given, which adds tools that send messages and events again.
With access in the configuration, --identity names the identity whose rights over the console count: read for the tools that
read, act for codes, mails and changes. Needs the package @modelcontextprotocol/server.`,
  examples: [
    ['signalbox mcp', 'tools that only read'],
    ['signalbox mcp --allow-changes', 'tools that also send messages, and events again'],
    ['signalbox mcp --identity ops', 'the tools that the identity ops may use'],
  ],
  options: {
    'allow-changes': { type: 'boolean', help: 'add tools that change something' },
    identity: { type: 'string', value: 'NAME', help: 'the identity whose rights count' },
    config: configOption,
  },
  async run({ 'allow-changes': allowsChanges = false, identity, config }, operands, terminal) {
    refuseOperands('mcp', operands)
    const scope = scopeOf(allowsChanges, identity, (await terminal.project(config)).config.access)
    const { serveTools } = await import('../mcp/serve.ts')
    const commands = [log, trace, replay, sample, ...(await sourceCommands(program.modules))]
    await serveTools({ version: ownVersion(), scope, config, context: terminal, commands })
    return 0
  },
})

interface AccessOfIdentities {
  readonly identities?: Readonly<Record<string, { readonly rights?: Rights }>>
}

type Rights = Readonly<Record<string, Readonly<Record<string, readonly string[] | undefined>> | undefined>>

/** Returns what the tools may do with the rights of an identity over the console. */
function scopeOf(
  allowsChanges: boolean,
  identity: string | undefined,
  access: AccessOfIdentities | undefined,
): Scope {
  if (access === undefined) {
    if (identity !== undefined) throw new UsageError('--identity needs access in the configuration.')
    return { mayChange: allowsChanges, maySeeCodes: true }
  }
  const identities = access.identities ?? {}
  const names = Object.keys(identities)
  if (identity === undefined)
    throw new UsageError(
      `The configuration has access. Name an identity with --identity: ${names.join(', ')}.`,
    )
  if (!Object.hasOwn(identities, identity)) throw new UsageError(unknownName('identity', identity, names))
  const { rights } = identities[identity]!
  const has = (right: string) => rights?.console?.[right]?.includes('*') === true
  if (!has('read'))
    throw new Error(`The identity ${identity} may not read the console. Expected console: { read: ['*'] }.`)
  if (allowsChanges && !has('act'))
    throw new Error(`The identity ${identity} may not act in the console. Expected console: { act: ['*'] }.`)
  return { mayChange: allowsChanges, maySeeCodes: has('act') }
}
