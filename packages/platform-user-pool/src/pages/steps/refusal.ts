import { UserPoolError } from '../../user-pool-error.ts'

/** What a flow refused, which the user is told. Any other error goes on. */
export function refusalOf(error: unknown): UserPoolError {
  if (error instanceof UserPoolError && error.type !== 'InternalErrorException') return error
  throw error
}
