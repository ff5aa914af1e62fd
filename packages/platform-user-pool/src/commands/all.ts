import { type Command, commandsAbout } from '@signalbox/platform-runtime/command-line'
import { keysRotate } from './keys-rotate.ts'
import { pools } from './pools.ts'
import { signIn } from './sign-in.ts'
import { texts } from './texts.ts'
import { userCommands } from './user.ts'
import { users } from './users.ts'
import { usersExport } from './users-export.ts'
import { usersImport } from './users-import.ts'

/** The user-pool commands, in the order in which the help lists them. */
export const userPoolCommands: readonly Command[] = commandsAbout('User pools', [
  pools,
  users,
  usersExport,
  usersImport,
  ...userCommands,
  signIn,
  texts,
  keysRotate,
])
