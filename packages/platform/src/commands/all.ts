import type { Command } from '../command-line/command.ts'
import { check } from './check.ts'
import { dev } from './dev.ts'
import { fire } from './fire.ts'
import { inbox } from './inbox.ts'
import { init } from './init.ts'
import { log } from './log.ts'
import { mail } from './mail.ts'
import { mails } from './mails.ts'
import { mailDelete, mailFlush, mailHold, mailRelease } from './queued-mails.ts'
import { queues } from './queues.ts'
import { redrive } from './redrive.ts'
import { replay } from './replay.ts'
import { sample } from './sample.ts'
import { send } from './send.ts'
import { start } from './start.ts'

/** Every verb of the command line, in the order in which people meet them. */
export const commands: readonly Command[] = [
  init,
  dev,
  start,
  fire,
  sample,
  check,
  log,
  replay,
  send,
  queues,
  redrive,
  mail,
  inbox,
  mails,
  mailFlush,
  mailHold,
  mailRelease,
  mailDelete,
]
