import { describe, expect, it } from '@jest/globals'
import { eventCodec, triggerEventCodec } from './event-codec.ts'
import { challengeNames } from './fields/challenge.ts'
import { groupClaims, reservedClaims, scopeVersions } from './fields/claim.ts'
import { shapeCodec } from './fields/shape-codec.ts'
import { takeoverAttributeNames, userAttributeNames, userStatuses } from './fields/user-attribute.ts'
import { commonFields } from './triggers/common-fields.ts'
import { triggers } from './triggers/triggers.ts'
import { responseCodec } from './verdict/response-codec.ts'

describe('the names in the contract', () => {
  it('include three challenge names, to which Signalbox adds four', () => {
    expect(challengeNames).toEqual({
      contract: ['SRP_A', 'PASSWORD_VERIFIER', 'CUSTOM_CHALLENGE'],
      extension: ['SMS_MFA', 'DEVICE_SRP_AUTH', 'DEVICE_PASSWORD_VERIFIER', 'ADMIN_NO_SRP_AUTH'],
    })
  })

  it('include nine user attributes', () => {
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

  it('include eight user statuses', () => {
    expect(userStatuses.join(', ')).toBe(
      'UNCONFIRMED, CONFIRMED, EXTERNAL_PROVIDER, RESET_REQUIRED, FORCE_CHANGE_PASSWORD, UNKNOWN, ARCHIVED, COMPROMISED',
    )
  })

  it('include the reserved claims, the group claims and the versions that support scopes', () => {
    expect(reservedClaims.join(' ')).toBe(
      'acr amr aud at_hash auth_time azp client_id device_key event_id exp iat identities iss jti nbf nonce origin_jti scope sub token_use username version',
    )
    expect(groupClaims).toEqual(['pool:groups', 'pool:roles', 'pool:preferred_role'])
    expect(scopeVersions).toEqual(['2', '3'])
  })
})

describe('codec names', () => {
  it('contain the trigger source of an event, or the trigger of an answer', () => {
    expect(triggerEventCodec.name).toBe('user-pool event')
    expect(eventCodec('PreSignUp_SignUp').name).toBe('PreSignUp_SignUp event')
    expect(responseCodec('PreSignUp').name).toBe('PreSignUp response')
  })

  it('match docs/contract/user-pool.md for nested objects', () => {
    const { TokenGeneration, DefineAuthChallenge } = triggers
    const { claimsOverrideDetails, claimsAndScopeOverrideDetails } = TokenGeneration.response
    const both = claimsAndScopeOverrideDetails.shape.fields!
    expect(
      [
        commonFields.callerContext,
        DefineAuthChallenge.request.session,
        TokenGeneration.request.groupConfiguration,
        claimsOverrideDetails,
        claimsOverrideDetails.shape.fields!.groupOverrideDetails!,
        claimsAndScopeOverrideDetails,
        both.idTokenGeneration!,
        both.accessTokenGeneration!,
        both.idTokenGeneration!.shape.fields!.claimsToAddOrOverride!,
      ].map(({ shape }) => shapeCodec(shape).name),
    ).toEqual([
      'caller context',
      'list of challenge',
      'group configuration',
      'claims override',
      'group override',
      'claims and scope override',
      'identity token',
      'access token',
      'map of string to JSON',
    ])
  })
})
