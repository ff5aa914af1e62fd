import type { Factor } from '../store/user-pool-store.ts'
import type { CreatedPool } from './created-pool.ts'

/**
 * Returns the second factors that a pool has configured. Text messages count also in a pool with only an
 * `SmsConfiguration`.
 */
export function enabledFactors({
  mfa,
  requested,
}: Pick<CreatedPool, 'mfa' | 'requested'>): readonly Factor[] {
  return [
    ...(mfa.SoftwareTokenMfaConfiguration?.Enabled ? ['totp' as const] : []),
    ...(mfa.SmsMfaConfiguration !== undefined || requested.SmsConfiguration !== undefined
      ? ['sms' as const]
      : []),
    ...(mfa.EmailMfaConfiguration !== undefined ? ['email' as const] : []),
  ]
}
