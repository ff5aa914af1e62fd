import { adminUserOperations } from './admin-users.ts'
import { createdClientOperations } from './created-clients.ts'
import { createdPoolOperations } from './created-pools.ts'
import { deviceOperations } from './devices.ts'
import { extensionOperations } from './extensions.ts'
import { factorOperations } from './factors.ts'
import { forgottenPasswordOperations } from './forgotten-password.ts'
import { groupOperations } from './groups.ts'
import type { Operations } from './operation.ts'
import { ownAccountOperations } from './own-account.ts'
import { passkeyOperations } from './passkeys.ts'
import { poolPartOperations } from './pool-parts.ts'
import { poolOperations } from './pools.ts'
import { signInOperations } from './sign-in.ts'
import { signUpOperations } from './sign-up.ts'
import { userImportOperations } from './user-imports.ts'

/** All operations of the listener. */
export const operations: Operations = {
  ...signUpOperations,
  ...signInOperations,
  ...forgottenPasswordOperations,
  ...ownAccountOperations,
  ...adminUserOperations,
  ...factorOperations,
  ...deviceOperations,
  ...passkeyOperations,
  ...groupOperations,
  ...poolOperations,
  ...createdPoolOperations,
  ...createdClientOperations,
  ...poolPartOperations,
  ...userImportOperations,
  ...extensionOperations,
}
