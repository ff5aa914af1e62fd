import { type Command, commandsAbout } from '@signalbox/platform-runtime/command-line'
import { openapi } from './openapi.ts'

/** The commands for load balancers, in the order of the help text. */
export const loadBalancerCommands: readonly Command[] = commandsAbout('Load balancers', [openapi])
