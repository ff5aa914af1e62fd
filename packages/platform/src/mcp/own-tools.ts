import { entryProblems } from '@signalbox/platform-runtime'
import { checkEvent } from '../check/check-event.ts'
import { program } from '../source-modules.ts'
import { findOptions } from './find-options.ts'
import { json, jsonAnswer, operands, type Tool } from './tools.ts'

/** The tools that are no commands, or that answer with more than a command prints. */
export const ownTools: Readonly<Record<string, Tool>> = {
  explain_invocation: {
    description:
      'Shows an invocation: event, payload, verdict with its reason, the fields that break the contract, and output. Secrets are masked.',
    arguments: { id: { type: 'integer', description: 'The number of the invocation', isRequired: true } },
    async answer({ id }, { context, config }) {
      const log = await (await context.project(config)).invocationLog()
      const entry = await log?.get(Number(id))
      await log?.close()
      if (entry === undefined) throw new Error(`The invocation log has no entry #${id}.`)
      return jsonAnswer({ ...entry, ...entryProblems(entry, await context.families()) })
    },
  },
  check_event: {
    description: 'Checks an event against the contract of its family, and lists what breaks it.',
    arguments: {
      event: { type: 'string', description: 'The event as JSON', isRequired: true },
      dialect: { type: 'string', description: 'aws for an event as AWS sends it' },
    },
    async answer({ event, dialect }, { context: { dialects, families } }) {
      const given: unknown = JSON.parse(String(event))
      if (dialect === undefined) return jsonAnswer(checkEvent(given, await families()))
      if (!Object.hasOwn(dialects, dialect))
        throw new Error(`There is no dialect ${dialect}. Expected ${Object.keys(dialects).join(', ')}.`)
      return jsonAnswer(checkEvent(dialects[dialect]!.read(given), await families()))
    },
  },
  find_option: {
    description:
      'Finds options of the configuration file whose place or expected value has all the words, and says what each takes.',
    arguments: { words: { type: 'string', description: 'Such as queues retention', isRequired: true } },
    async answer({ words }, { context: { dialects } }) {
      const sources = program.modules.map(({ config }) => config)
      const found = findOptions(String(words), sources, Object.keys(dialects))
      return jsonAnswer({ options: found.slice(0, 50), found: found.length })
    },
  },
  replay_invocation: {
    description:
      'Sends the event of an invocation again, to the current code of its function, and shows the new invocation.',
    arguments: { id: { type: 'integer', description: 'The number of the invocation', isRequired: true } },
    changes: true,
    async answer({ id }, { run }) {
      const printed = await run(['replay', json, ...operands(id)])
      // Notices are other lines.
      const line = printed.split('\n').find(each => each.startsWith('{'))
      if (line === undefined) throw new Error(printed)
      const { requestId } = JSON.parse(line) as ReplayedInvocation
      // The log has the invocation with masked secrets.
      return run(['trace', json, ...operands(requestId)])
    },
  },
}

/** What `replay --json` prints, as far as it is read here. */
interface ReplayedInvocation {
  readonly requestId: string
}
