import { type Command, commandsAbout, sourceCommands } from '@signalbox/platform-runtime/command-line'
import { program } from '../source-modules.ts'
import { accessAdd, accessList, accessRevoke, accessRotate } from './access-keys.ts'
import { accessLog } from './access-log.ts'
import { boxes } from './boxes.ts'
import { check } from './check.ts'
import { dev } from './dev.ts'
import { importTemplate } from './import.ts'
import { init } from './init.ts'
import { invoke } from './invoke.ts'
import { log } from './log.ts'
import { mcp } from './mcp.ts'
import { replay } from './replay.ts'
import { sample } from './sample.ts'
import { start } from './start.ts'
import { storageCopy } from './storage-copy.ts'
import { template } from './template.ts'
import { trace } from './trace.ts'

/** The commands of the platform itself, in the order in which the help lists them. */
export const commands: readonly Command[] = [
  ...commandsAbout('Develop', [init, importTemplate, template, dev, invoke, sample, check, mcp]),
  ...commandsAbout('Run', [start, boxes, storageCopy]),
  ...commandsAbout('Invocation log', [log, trace, replay]),
  ...commandsAbout('Access', [accessAdd, accessList, accessRotate, accessRevoke, accessLog]),
]

/** Loads all commands: those of the platform, then those of the sources. */
export async function allCommands(): Promise<readonly Command[]> {
  return [...commands, ...(await sourceCommands(program.modules))]
}
