import { describe, expect, it } from '@jest/globals'
import { titleOf } from '../wording.ts'
import { expectedSource, knownSource, sources, sourcesOf, triggerNames } from './source.ts'
import { triggers } from './triggers.ts'

/** The table of events in the contract, with the sources that Signalbox adds: `title | sources | added sources`. */
const events = `
  Pre sign-up | PreSignUp_SignUp, PreSignUp_AdminCreateUser, PreSignUp_ExternalProvider |
  Post confirmation | PostConfirmation_ConfirmSignUp | PostConfirmation_ConfirmForgotPassword
  Pre authentication | PreAuthentication_Authentication |
  Post authentication | PostAuthentication_Authentication |
  Define auth challenge | DefineAuthChallenge_Authentication |
  Create auth challenge | CreateAuthChallenge_Authentication |
  Verify auth challenge response | VerifyAuthChallengeResponse_Authentication |
  Pre token generation | TokenGeneration_HostedAuth, TokenGeneration_Authentication, TokenGeneration_NewPasswordChallenge, TokenGeneration_AuthenticateDevice, TokenGeneration_RefreshTokens | TokenGeneration_ClientCredentials
  Custom message | CustomMessage_SignUp, CustomMessage_AdminCreateUser, CustomMessage_ResendCode, CustomMessage_ForgotPassword, CustomMessage_UpdateUserAttribute, CustomMessage_VerifyUserAttribute, CustomMessage_Authentication |
  User migration | UserMigration_Authentication, UserMigration_ForgotPassword |
  Custom email sender | CustomEmailSender_SignUp, CustomEmailSender_ResendCode, CustomEmailSender_ForgotPassword, CustomEmailSender_UpdateUserAttribute, CustomEmailSender_VerifyUserAttribute, CustomEmailSender_AdminCreateUser, CustomEmailSender_AccountTakeOverNotification | CustomEmailSender_Authentication
  Custom SMS sender | CustomSMSSender_SignUp, CustomSMSSender_ResendCode, CustomSMSSender_ForgotPassword, CustomSMSSender_UpdateUserAttribute, CustomSMSSender_VerifyUserAttribute, CustomSMSSender_Authentication, CustomSMSSender_AdminCreateUser |
  Inbound federation | | InboundFederation_ExternalProvider
`

describe('the trigger sources of docs/contract/user-pool.md', () => {
  const rows = events.split('\n').filter(line => line.trim() !== '')

  it.each(rows.map(row => [row.split('|')[0]!.trim(), row.trim()]))(
    'include every source of the trigger %s',
    (_, row) => {
      const [title, contract, extensions] = row
        .split('|')
        .map(cell => cell.trim().split(', ').filter(Boolean))
      const trigger = triggerNames.find(name => titleOf(name) === title![0])!
      const of = (extension: boolean) =>
        sourcesOf(trigger).filter(source => knownSource(source)!.extension === extension)
      expect([...of(false)].sort()).toEqual(contract!.sort())
      expect([...of(true)].sort()).toEqual(extensions!.sort())
    },
  )

  it('add up to 41', () => {
    expect(triggerNames).toHaveLength(rows.length)
    expect(sources).toHaveLength(41)
  })
})

describe('sourcesOf', () => {
  it('returns a source for its own name, all sources for a trigger, and none for an unknown name', () => {
    expect(sourcesOf('PreSignUp_SignUp')).toEqual(['PreSignUp_SignUp'])
    expect(sourcesOf('UserMigration')).toEqual([
      'UserMigration_Authentication',
      'UserMigration_ForgotPassword',
    ])
    expect(sourcesOf('constructor')).toEqual([])
    expect(knownSource('__proto__')).toBeUndefined()
  })
})

describe('knownSource', () => {
  it.each([
    undefined,
    7,
    '',
    'PreSignUp',
    'PreSignUp_',
    'PreSignUp_SignUp_',
    'PreSignUp_toString',
    'PreSignUpSignUp',
    'toString_SignUp',
    '__proto___x',
  ])('returns undefined for %p', source => {
    expect(knownSource(source)).toBeUndefined()
  })

  it('returns the same object and the same row of the table each time', () => {
    const known = knownSource('PreSignUp_SignUp')!
    expect(knownSource('PreSignUp_SignUp')).toBe(known)
    expect(known.row).toBe(triggers.PreSignUp)
    expect(known.request).toBe(triggers.PreSignUp.request)
  })
})

describe('expectedSource', () => {
  it.each([
    ['PreSignup_SignUP', 'PreSignUp_SignUp'],
    ['CustomMessage', 'CustomMessage_SignUp'],
    ['', 'PreSignUp_SignUp'],
    ['zzz', 'PreSignUp_SignUp'],
    ['Post', 'PostConfirmation_ConfirmSignUp'],
    ['PostAuthentication_Authentication_and_some_more', 'PostAuthentication_Authentication'],
    ['PreSignUp_SignUp, and more words than any source has', 'PreSignUp_SignUp'],
  ])('says that the source nearest to %p is %s', (given, meant) => {
    expect(expectedSource(given)).toBe(`a trigger source; the nearest is ${meant}`)
  })

  it.each([undefined, null, 7])('names no nearest source for %p', given => {
    expect(expectedSource(given)).toBe('a trigger source')
  })
})
