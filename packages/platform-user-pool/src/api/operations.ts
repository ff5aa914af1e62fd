import type { Operations } from './operation.ts'
import { ownAccountOperations } from './own-account.ts'
import { signInOperations } from './sign-in.ts'
import { signUpOperations } from './sign-up.ts'

/** Every operation that the listener understands. */
export const operations: Operations = {
  ...signUpOperations,
  ...signInOperations,
  ...ownAccountOperations,
}
