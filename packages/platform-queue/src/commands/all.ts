import type { Command } from '@signalbox/platform-runtime/command-line'
import { queues } from './queues.ts'
import { redrive } from './redrive.ts'
import { send } from './send.ts'

/** The commands of queues, in the order of the help. */
export const queueCommands: readonly Command[] = [send, queues, redrive]
