import { UserPoolError } from '../../user-pool-error.ts'

/** Returns the error if the page shows it to the user, and throws it otherwise. */
export function refusalOf(error: unknown): UserPoolError {
  if (error instanceof UserPoolError && error.type !== 'InternalErrorException') return error
  throw error
}
