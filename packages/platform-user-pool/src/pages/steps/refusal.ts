import { UserPoolError } from '../../user-pool-error.ts'

/** Returns the error of a flow that the page shows to the user. Throws any other error. */
export function refusalOf(error: unknown): UserPoolError {
  if (error instanceof UserPoolError && error.type !== 'InternalErrorException') return error
  throw error
}
