import { type Command, commandsAbout } from '@signalbox/platform-runtime/command-line'
import { mailDelete, mailFlush, mailHold, mailRelease } from './change-queued.ts'
import { mailDkim } from './mail-dkim.ts'
import { mailExport } from './mail-export.ts'
import { mailList } from './mail-list.ts'
import { mailSend } from './mail-send.ts'
import { mailShow } from './mail-show.ts'
import { mailStatus } from './mail-status.ts'

/** The mail commands, in the order of the help text. */
export const mailCommands: readonly Command[] = commandsAbout('Mail', [
  mailSend,
  mailStatus,
  mailList,
  mailShow,
  mailExport,
  mailDkim,
  mailFlush,
  mailHold,
  mailRelease,
  mailDelete,
])
