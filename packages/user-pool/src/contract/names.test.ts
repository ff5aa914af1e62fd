import { describe, expect, it } from '@jest/globals'
import { challengeNames } from './challenge.ts'
import { groupClaims, reservedClaims, scopeVersions } from './claim.ts'
import { takeoverAttributeNames, userAttributeNames, userStatuses } from './user-attribute.ts'

describe('names that the contract shows, and those that are an extension', () => {
  it('Challenge names that appear: `SRP_A`, `PASSWORD_VERIFIER`, `CUSTOM_CHALLENGE`', () => {
    expect(challengeNames).toEqual({
      contract: ['SRP_A', 'PASSWORD_VERIFIER', 'CUSTOM_CHALLENGE'],
      extension: ['SMS_MFA', 'DEVICE_SRP_AUTH', 'DEVICE_PASSWORD_VERIFIER', 'ADMIN_NO_SRP_AUTH'],
    })
  })

  it('User attributes, including `sub`, `email_verified`, `pool:user_status` …', () => {
    expect([...userAttributeNames.contract].sort()).toEqual([
      'email',
      'email_verified',
      'family_name',
      'given_name',
      'phone_number',
      'phone_number_verified',
      'pool:email_alias',
      'pool:user_status',
      'sub',
    ])
    expect(userAttributeNames.extension).not.toContain('sub')
    expect(takeoverAttributeNames).toContain('IP_ADDRESS')
  })

  it('User statuses: UNCONFIRMED, CONFIRMED, EXTERNAL_PROVIDER …', () => {
    expect(userStatuses.join(', ')).toBe(
      'UNCONFIRMED, CONFIRMED, EXTERNAL_PROVIDER, RESET_REQUIRED, FORCE_CHANGE_PASSWORD, UNKNOWN, ARCHIVED, COMPROMISED',
    )
  })

  it('Claims nobody may override: acr amr aud at_hash …', () => {
    expect(reservedClaims.join(' ')).toBe(
      'acr amr aud at_hash auth_time azp exp iat identities iss jti nbf nonce origin_jti sub token_use',
    )
    expect(groupClaims).toEqual(['pool:groups', 'pool:roles', 'pool:preferred_role'])
    expect(scopeVersions).toEqual(['2', '3'])
  })
})
