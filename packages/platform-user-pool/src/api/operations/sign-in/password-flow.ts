import type { ClientSettings } from '../../../config/user-pool-settings.ts'

/**
 * Returns the operation and flow for a sign-in with a password. Prefers the administrators' flow if the client allows
 * it.
 */
export function passwordFlow({ flows }: Pick<ClientSettings, 'flows'>): {
  readonly operation: 'AdminInitiateAuth' | 'InitiateAuth'
  readonly AuthFlow: string
} {
  return flows.includes('admin')
    ? { operation: 'AdminInitiateAuth', AuthFlow: 'ADMIN_USER_PASSWORD_AUTH' }
    : { operation: 'InitiateAuth', AuthFlow: 'USER_PASSWORD_AUTH' }
}
