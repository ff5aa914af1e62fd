import assert from 'node:assert/strict'
import { signalbox } from '@signalbox/core'
import { customAuth, userPool } from '@signalbox/user-pool'
import { groupClaims, reservedClaims, sourcesOf, triggerVerdict } from '@signalbox/user-pool/contract'
import {
  customMessageEvent,
  defineAuthChallengeEvent,
  postAuthenticationEvent,
  postConfirmationEvent,
  preAuthenticationEvent,
  preSignUpEvent,
  tokenGenerationEvent,
  userMigrationEvent,
} from '@signalbox/user-pool/testing'
import { breaks, type ContractCase, keeps, type Sides } from '../contract-case.ts'
import { copyOf } from '../copy-of.ts'
import { functionSetup } from '../function-setup.ts'
import { accepted, concluded, invalid, returnedBy } from './pool-sides.ts'

/** Returns the cases for the verdict rules. */
export function poolRules(): readonly ContractCase[] {
  return [...operationRules(), ...newSourceRules(), ...messageRules(), ...signInRules(), ...tokenRules()]
}

const event = preSignUpEvent()
const filled = { autoConfirmUser: true }
const wrong = invalid(event, { autoConfirmUser: 'yes' }, '/response/autoConfirmUser')

function operationRules(): readonly ContractCase[] {
  return [
    keeps('verdict.accepted', 'the event with its response', accepted(event, filled)),
    breaks('verdict.accepted', 'a response that breaks its table', wrong),
    keeps('verdict.invalid', 'a response that breaks its table', wrong),
    breaks('verdict.invalid', 'the same with the right type', accepted(event, filled)),
    keeps('verdict.same-event', 'the event itself', accepted(event, {})),
    ...(['triggerSource', 'userPoolId', 'userName'] as const).map(field =>
      breaks('verdict.same-event', `an event with another ${field}`, anotherEvent(field)),
    ),
    keeps('verdict.denied', 'a function that fails', denied),
    breaks('verdict.denied', 'a function that answers', accepted(event, {})),
    ...[postConfirmationEvent(), preAuthenticationEvent(), postAuthenticationEvent()].flatMap(each => [
      keeps('verdict.no-response-expected', `nothing for ${each.triggerSource}`, accepted(each, {})),
      breaks('verdict.no-response-expected', `an answer to ${each.triggerSource}`, unexpected(each)),
    ]),
    keeps(
      'verdict.migration-creates',
      'a migration that returns a user',
      accepted(userMigrationEvent(), { userAttributes: { email: 'ada@example.com' } }),
    ),
    breaks(
      'verdict.migration-creates',
      'a migration without a user',
      invalid(userMigrationEvent(), { finalUserStatus: 'CONFIRMED' }, '/response/userAttributes'),
    ),
    keeps(
      'verdict.migrated-sub',
      'a migrated user without a sub',
      accepted(userMigrationEvent(), { userAttributes: { email: 'ada@example.com' } }),
    ),
    breaks(
      'verdict.migrated-sub',
      'a migrated user with a sub',
      invalid(
        userMigrationEvent(),
        { userAttributes: { email: 'ada@example.com', sub: 'ada' } },
        '/response/userAttributes/sub',
      ),
    ),
  ]
}

/** Returns checks of the pointers to problems with an answer to `CustomMessage_New` or another source. */
function toNewSource(triggerSource: string, answer: object, pointers: readonly string[]): Sides {
  const asked = { ...customMessageEvent(), triggerSource }
  return {
    async function() {
      const returned = await returnedBy(asked, () => answer)
      if (pointers.length === 0) assert.deepEqual((returned as { response: unknown }).response, answer)
      else assert.ok(returned instanceof Error && returned.message.includes(pointers[0]!), String(returned))
    },
    // The platform has no operation that sends such an event.
    platform() {
      const verdict = triggerVerdict(JSON.stringify({ ...asked, response: answer }), asked)
      const problems = verdict.kind === 'invalid' ? verdict.problems : []
      assert.deepEqual(
        problems.map(({ pointer }) => pointer),
        pointers,
      )
    },
  }
}

function newSourceRules(): readonly ContractCase[] {
  const row = 'verdict.new-source'
  const right = { smsMessage: 'Code {####}' }
  return [
    keeps(row, 'an answer that keeps the rules', toNewSource('CustomMessage_New', right, [])),
    keeps(
      row,
      'an answer that breaks them',
      toNewSource('CustomMessage_New', { smsMessage: 'Hi' }, ['/response/smsMessage']),
    ),
    breaks(row, 'a source of an unknown trigger', toNewSource('New_Trigger', right, ['/triggerSource'])),
  ]
}

function anotherEvent(field: 'triggerSource' | 'userPoolId' | 'userName'): Sides {
  const other = field === 'triggerSource' ? 'PreSignUp_AdminCreateUser' : 'another'
  return {
    async function() {
      const returned = await returnedBy(event, received => {
        Object.assign(received, { [field]: other })
        return {}
      })
      assert.ok(returned instanceof Error && returned.message.includes(`/${field}`), 'it is not refused')
    },
    async platform() {
      const setup = functionSetup((received: object) => ({ ...received, [field]: other }))
      assert.match((await setup.refusal(event, {})) ?? '', new RegExp(`/${field}`))
    },
  }
}

const staffOnly = () => {
  throw new Error('Staff only')
}

const denied: Sides = {
  async function() {
    const returned = await returnedBy(event, staffOnly)
    assert.ok(returned instanceof Error && returned.message === 'Staff only')
  },
  async platform() {
    const { verdict } = await concluded(event, staffOnly)
    assert.equal(verdict?.text, 'denied: PreSignUp failed with error Staff only.')
  },
}

/** Returns two checks: the plugin refuses a response to this event, and the platform ignores the response. */
function unexpected(each: object): Sides {
  return {
    async function() {
      const returned = await returnedBy(each, () => filled)
      assert.ok(returned instanceof Error && returned.name === 'InvalidResponseError')
    },
    async platform() {
      const { verdict } = await concluded(each, () => filled)
      assert.equal(verdict?.text, 'accepted with {}')
    },
  }
}

function messageRules(): readonly ContractCase[] {
  return sourcesOf('CustomMessage').flatMap(source =>
    (['smsMessage', 'emailMessage'] as const).flatMap(field => {
      const asked = customMessageEvent({}, { triggerSource: source as never })
      const row = 'verdict.message-placeholders'
      return [
        keeps(row, `${source}: ${field} with the code`, accepted(asked, { [field]: 'Code {####}' })),
        breaks(
          row,
          `${source}: ${field} without the code`,
          invalid(asked, { [field]: 'Code 1234 for {username}' }, `/response/${field}`),
        ),
      ]
    }),
  )
}

type Session = readonly (readonly [challengeName: string, challengeResult: boolean])[]

const oneChallenge = signalbox(
  userPool(
    customAuth({
      challenges: [
        {
          name: 'riddle',
          create: async () => ({ publicParameters: {}, privateParameters: {} }),
          verify: () => true,
        },
      ],
    }),
  ),
)
const signInSetup = functionSetup(received => oneChallenge(received))

/** Returns checks that the function makes this decision for a session. */
function decides(session: Session, decision: object): Sides {
  const asked = defineAuthChallengeEvent({
    session: session.map(([challengeName, challengeResult]) => ({ challengeName, challengeResult })),
  })
  return {
    async function() {
      assert.deepEqual(((await oneChallenge(copyOf(asked))) as typeof asked).response, decision)
    },
    async platform() {
      const { verdict, payload } = await signInSetup.invoke(asked, undefined)
      assert.equal(verdict?.kind, 'accepted', verdict?.text)
      assert.deepEqual(JSON.parse(payload).response, decision)
    },
  }
}

const undecided = { issueTokens: false, failAuthentication: false }
const asks = (challengeName: string) => ({ challengeName, ...undecided })
const fails = { issueTokens: false, failAuthentication: true }
const tokens = { issueTokens: true, failAuthentication: false }
const srp = ['SRP_A', true] as const
const password = ['PASSWORD_VERIFIER', true] as const
const custom = ['CUSTOM_CHALLENGE', true] as const

function signInRules(): readonly ContractCase[] {
  const row = 'verdict.decision-pattern'
  const asked = defineAuthChallengeEvent()
  return [
    keeps(row, 'one SRP_A', decides([srp], asks('PASSWORD_VERIFIER'))),
    keeps(row, 'a correct PASSWORD_VERIFIER', decides([srp, password], asks('CUSTOM_CHALLENGE'))),
    keeps(row, 'a correct CUSTOM_CHALLENGE', decides([srp, password, custom], tokens)),
    breaks(row, 'an empty session', decides([], fails)),
    breaks(row, 'a wrong password', decides([srp, ['PASSWORD_VERIFIER', false]], fails)),
    breaks(row, 'a wrong answer', decides([srp, password, ['CUSTOM_CHALLENGE', false]], fails)),
    breaks(row, 'another challenge', decides([srp, password, ['SMS_MFA', true]], fails)),
    breaks('challenge.SRP_A', 'a name in lower case', decides([['srp_a', true]], fails)),
    breaks(
      'challenge.PASSWORD_VERIFIER',
      'a name in lower case',
      decides([srp, ['password_verifier', true]], fails),
    ),
    breaks(
      'challenge.CUSTOM_CHALLENGE',
      'a name in lower case',
      decides([srp, password, ['custom_challenge', true]], fails),
    ),
    ...[tokens, fails, asks('CUSTOM_CHALLENGE'), undecided].map(answer =>
      keeps('verdict.one-decision', JSON.stringify(answer), accepted(asked, answer)),
    ),
    ...[
      { issueTokens: true, failAuthentication: true },
      { ...asks('CUSTOM_CHALLENGE'), issueTokens: true },
      { ...asks('CUSTOM_CHALLENGE'), failAuthentication: true },
    ].map(answer =>
      breaks('verdict.one-decision', JSON.stringify(answer), invalid(asked, answer, '/response')),
    ),
  ]
}

function tokenRules(): readonly ContractCase[] {
  const asked = tokenGenerationEvent()
  const second = tokenGenerationEvent({}, { version: '2' })
  const inV1 = (details: object) => ({ claimsOverrideDetails: details })
  const inV2 = (details: object) => ({ claimsAndScopeOverrideDetails: { accessTokenGeneration: details } })
  const claim = (name: string) => ({ claimsToAddOrOverride: { [name]: 'x' } })
  const suppressed = (name: string) => ({ claimsToSuppress: [name] })
  const both = { idTokenGeneration: claim('tier'), accessTokenGeneration: { scopesToAdd: ['a'] } }
  const overrides = { claimsAndScopeOverrideDetails: both }
  const v2 = (field: string) => `/response/claimsAndScopeOverrideDetails/accessTokenGeneration/${field}`
  const v1 = (field: string) => `/response/claimsOverrideDetails/${field}`
  return [
    keeps('verdict.reserved-claims', 'another claim is set', accepted(asked, inV1(claim('tier')))),
    keeps(
      'verdict.reserved-claims',
      'another claim is suppressed',
      accepted(second, inV2(suppressed('tier'))),
    ),
    ...reservedClaims.flatMap(name => [
      breaks(
        'verdict.reserved-claims',
        `${name} is set`,
        invalid(asked, inV1(claim(name)), v1(`claimsToAddOrOverride/${name}`)),
      ),
      breaks(
        'verdict.reserved-claims',
        `${name} is suppressed`,
        invalid(second, inV2(suppressed(name)), v2('claimsToSuppress/0')),
      ),
    ]),
    keeps('verdict.claim-prefixes', 'a prefix of its own', accepted(asked, inV1(claim('custom:tier')))),
    ...['pool:username', 'cognito:username', 'pool:tier'].flatMap(name => [
      breaks(
        'verdict.claim-prefixes',
        `${name} is set`,
        invalid(asked, inV1(claim(name)), v1(`claimsToAddOrOverride/${name}`)),
      ),
      breaks(
        'verdict.claim-prefixes',
        `${name} is suppressed`,
        invalid(second, inV2(suppressed(name)), v2('claimsToSuppress/0')),
      ),
    ]),
    keeps(
      'verdict.developer-claims',
      'dev:tier is suppressed',
      accepted(asked, inV1(suppressed('dev:tier'))),
    ),
    breaks(
      'verdict.developer-claims',
      'dev:tier is set',
      invalid(asked, inV1(claim('dev:tier')), v1('claimsToAddOrOverride/dev:tier')),
    ),
    keeps(
      'verdict.group-claims',
      'groups in groupOverrideDetails',
      accepted(asked, inV1({ groupOverrideDetails: { groupsToOverride: ['staff'] } })),
    ),
    breaks(
      'verdict.reserved-claims',
      'scope is set, and the error names scopesToAdd',
      invalid(asked, inV1(claim('scope')), 'scopesToAdd'),
    ),
    ...groupClaims.map(name =>
      breaks(
        'verdict.group-claims',
        `${name} is set`,
        invalid(asked, inV1(claim(name)), v1(`claimsToAddOrOverride/${name}`)),
      ),
    ),
    keeps('verdict.scopes-need-version', 'version 2', accepted(second, overrides)),
    keeps(
      'verdict.scopes-need-version',
      'version 3',
      accepted(tokenGenerationEvent({}, { version: '3' }), overrides),
    ),
    keeps(
      'verdict.scopes-need-version',
      'scopes',
      accepted(tokenGenerationEvent({ scopes: ['a'] }), overrides),
    ),
    breaks(
      'verdict.scopes-need-version',
      'version 1 without scopes',
      invalid(asked, overrides, '/response/claimsAndScopeOverrideDetails'),
    ),
  ]
}
