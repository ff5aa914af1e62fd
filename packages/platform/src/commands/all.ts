import type { Command } from '@signalbox/platform-runtime/command-line'
import { program } from '../source-modules.ts'
import { accessAdd, accessList, accessRevoke, accessRotate } from './access-keys.ts'
import { accessLog } from './access-log.ts'
import { boxes } from './boxes.ts'
import { check } from './check.ts'
import { dev } from './dev.ts'
import { init } from './init.ts'
import { invoke } from './invoke.ts'
import { log } from './log.ts'
import { replay } from './replay.ts'
import { sample } from './sample.ts'
import { start } from './start.ts'

/** Every command in the order of the help: those of the platform, then those of its sources. */
export const commands: readonly Command[] = [
  init,
  dev,
  start,
  invoke,
  sample,
  check,
  log,
  replay,
  accessAdd,
  accessList,
  accessRotate,
  accessRevoke,
  accessLog,
  boxes,
  ...program.modules.flatMap(module => module.commands),
]
