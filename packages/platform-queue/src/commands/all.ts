import { type Command, commandsAbout } from '@signalbox/platform-runtime/command-line'
import { queues } from './queues.ts'
import { redrive } from './redrive.ts'
import { send } from './send.ts'

/** The queue commands, in the order of the help text. */
export const queueCommands: readonly Command[] = commandsAbout('Queues', [send, queues, redrive])
