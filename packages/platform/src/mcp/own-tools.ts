import { entryProblems } from '@signalbox/platform-runtime'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import { checkEvent } from '../check/check-event.ts'
import { program } from '../source-modules.ts'
import { findOptions } from './find-options.ts'
import type { Arguments, Given } from './tools.ts'

/** A tool that is no command. */
interface OwnTool {
  readonly description: string
  readonly arguments: Arguments
  readonly changes?: true
  readonly hasCodes?: true
  /** Returns the answer, which is sent as JSON. */
  readonly answer: (given: Given, context: CommandContext, config: string | undefined) => Promise<unknown>
}

/** The tools that are no commands, or that answer with more than a command prints. */
export const ownTools: Readonly<Record<string, OwnTool>> = {
  explain_invocation: {
    description:
      'Shows an invocation: event, payload, verdict with its reason, the fields that break the contract, and output. Secrets are masked.',
    arguments: { id: { type: 'integer', description: 'The number of the invocation', isRequired: true } },
    async answer({ id }, context, config) {
      const log = await (await context.project(config)).invocationLog()
      const entry = await log?.get(Number(id))
      await log?.close()
      if (entry === undefined) throw new Error(`The invocation log has no entry #${id}.`)
      return { ...entry, ...entryProblems(entry, await context.families()) }
    },
  },
  check_event: {
    description: 'Checks an event against the contract of its family, and lists what breaks it.',
    arguments: {
      event: { type: 'string', description: 'The event as JSON', isRequired: true },
      dialect: { type: 'string', description: 'aws for an event as AWS sends it' },
    },
    async answer({ event, dialect }, { dialects, families }) {
      const given: unknown = JSON.parse(String(event))
      const words = dialect === undefined ? undefined : dialects[dialect]
      if (dialect !== undefined && words === undefined)
        throw new Error(`There is no dialect ${dialect}. Expected ${Object.keys(dialects).join(', ')}.`)
      return checkEvent(words === undefined ? given : words.read(given), await families())
    },
  },
  find_option: {
    description:
      'Finds options of the configuration file by words in their names, with the value that each takes.',
    arguments: { words: { type: 'string', description: 'Such as queue retention', isRequired: true } },
    async answer({ words }, { dialects }) {
      const sources = program.modules.map(({ config }) => config)
      const found = findOptions(String(words), sources, Object.keys(dialects))
      return { options: found.slice(0, 50), found: found.length }
    },
  },
}
