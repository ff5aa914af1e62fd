import type { ClientSettings } from '../config/user-pool-settings.ts'

/**
 * Returns the operation by which an administrator signs a user in with a client, and its flow: clients have one or the
 * other.
 */
export function passwordFlow({ flows }: Pick<ClientSettings, 'flows'>): {
  readonly operation: 'AdminInitiateAuth' | 'InitiateAuth'
  readonly AuthFlow: string
} {
  return flows.includes('admin')
    ? { operation: 'AdminInitiateAuth', AuthFlow: 'ADMIN_USER_PASSWORD_AUTH' }
    : { operation: 'InitiateAuth', AuthFlow: 'USER_PASSWORD_AUTH' }
}
