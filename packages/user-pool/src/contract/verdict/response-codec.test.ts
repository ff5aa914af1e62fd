import { describe, expect, it } from '@jest/globals'
import { compile, problems } from '@signalbox/codec'
import fc from 'fast-check'
import { triggerResponses } from '../../testing/arbitrary.ts'
import type { Trigger } from '../trigger-event.ts'
import { triggerNames } from '../triggers/source.ts'
import { triggers } from '../triggers/triggers.ts'
import { responseCodec } from './response-codec.ts'

const examples: { readonly [type: string]: readonly [good: unknown, bad: unknown, within?: string] } = {
  Boolean: [true, 'true'],
  String: ['text', 1],
  Object: [{}, 'text'],
  'Array of String': [['a'], [1], '/0'],
  'map String to String': [{ a: 'b' }, { a: 1 }, '/a'],
  'map String to JSON': [{ a: ['b', 1, true, { c: 'd' }] }, { a: null }, '/a'],
  'CONFIRMED or RESET_REQUIRED': ['RESET_REQUIRED', 'UNKNOWN'],
  'SUPPRESS or RESEND': ['RESEND', 'SEND'],
  'Array of EMAIL or SMS': [['EMAIL', 'SMS'], ['PIGEON'], '/0'],
}

/** Returns nested objects with a value at the end of a path of keys. */
function nest(path: readonly string[], value: unknown): object {
  const [first, ...rest] = path
  return { [first!]: rest.length === 0 ? value : nest(rest, value) }
}

/** The smallest valid answer to each trigger that needs an answer. */
const least: { readonly [T in Trigger]?: object } = {
  DefineAuthChallenge: { issueTokens: false, failAuthentication: false },
  CreateAuthChallenge: { publicChallengeParameters: {}, privateChallengeParameters: {} },
  VerifyAuthChallengeResponse: { answerCorrect: false },
  UserMigration: { userAttributes: {} },
  InboundFederation: { userAttributesToMap: {} },
}

describe('the answer', () => {
  it.each(
    `
      PreSignUp | autoConfirmUser | Boolean | optional
      PreSignUp | autoVerifyEmail | Boolean | optional
      PreSignUp | autoVerifyPhone | Boolean | optional
      TokenGeneration | claimsOverrideDetails | Object | optional
      TokenGeneration | claimsOverrideDetails.claimsToAddOrOverride | map String to String | optional
      TokenGeneration | claimsOverrideDetails.claimsToSuppress | Array of String | optional
      TokenGeneration | claimsOverrideDetails.groupOverrideDetails | Object | optional
      TokenGeneration | claimsOverrideDetails.groupOverrideDetails.groupsToOverride | Array of String | optional
      TokenGeneration | claimsOverrideDetails.groupOverrideDetails.accessRolesToOverride | Array of String | optional
      TokenGeneration | claimsOverrideDetails.groupOverrideDetails.preferredRole | String | optional
      CustomMessage | smsMessage | String | optional
      CustomMessage | emailMessage | String | optional
      CustomMessage | emailSubject | String | optional
      UserMigration | userAttributes | map String to String | required
      UserMigration | finalUserStatus | CONFIRMED or RESET_REQUIRED | optional
      UserMigration | messageAction | SUPPRESS or RESEND | optional
      UserMigration | desiredDeliveryMediums | Array of EMAIL or SMS | optional
      UserMigration | forceAliasCreation | Boolean | optional
      UserMigration | enableSMSMFA | Boolean | optional | extension
      DefineAuthChallenge | challengeName | String | optional | extension
      DefineAuthChallenge | issueTokens | Boolean | required | extension
      DefineAuthChallenge | failAuthentication | Boolean | required | extension
      CreateAuthChallenge | publicChallengeParameters | map String to String | required | extension
      CreateAuthChallenge | privateChallengeParameters | map String to String | required | extension
      CreateAuthChallenge | challengeMetadata | String | optional | extension
      VerifyAuthChallengeResponse | answerCorrect | Boolean | required | extension
      TokenGeneration | claimsAndScopeOverrideDetails | Object | optional | extension
      TokenGeneration | claimsAndScopeOverrideDetails.idTokenGeneration | Object | optional | extension
      TokenGeneration | claimsAndScopeOverrideDetails.idTokenGeneration.claimsToAddOrOverride | map String to JSON | optional | extension
      TokenGeneration | claimsAndScopeOverrideDetails.idTokenGeneration.claimsToSuppress | Array of String | optional | extension
      TokenGeneration | claimsAndScopeOverrideDetails.accessTokenGeneration | Object | optional | extension
      TokenGeneration | claimsAndScopeOverrideDetails.accessTokenGeneration.claimsToAddOrOverride | map String to JSON | optional | extension
      TokenGeneration | claimsAndScopeOverrideDetails.accessTokenGeneration.claimsToSuppress | Array of String | optional | extension
      TokenGeneration | claimsAndScopeOverrideDetails.accessTokenGeneration.scopesToAdd | Array of String | optional | extension
      TokenGeneration | claimsAndScopeOverrideDetails.accessTokenGeneration.scopesToSuppress | Array of String | optional | extension
      TokenGeneration | claimsAndScopeOverrideDetails.groupOverrideDetails | Object | optional | extension
      InboundFederation | userAttributesToMap | map String to String | required | extension
    `
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean)
      .map(row => {
        const [trigger, path, type, presence] = row.split(' | ')
        return [
          `to ${trigger} ${presence === 'required' ? 'must' : 'may'} have the field ${path} of type ${type}`,
          row,
        ] as const
      }),
  )('%s', (_, row) => {
    const [trigger, path, type, presence, origin] = row.split(' | ') as [
      Trigger,
      string,
      string,
      string,
      string?,
    ]
    const keys = path.split('.')
    const [good, bad, within = ''] = examples[type]!
    const pointer = `/${keys.join('/')}`
    const wrong = (value: unknown) => [
      ...new Set(
        problems(responseCodec(trigger), { ...least[trigger], ...nest(keys, value) }).map(p => p.pointer),
      ),
    ]
    expect(wrong(good)).toEqual([])
    expect(wrong(bad)).toEqual([pointer + within])
    expect(wrong(null)).toEqual(presence === 'required' ? [pointer] : [])
    expect(wrong(undefined)).toEqual(presence === 'required' ? [pointer] : [])

    type Tree = { readonly [name: string]: { readonly shape: { readonly fields: Tree } } }
    let fields = triggers[trigger].response as unknown as Tree
    for (const key of keys.slice(0, -1)) fields = fields[key]!.shape.fields
    expect(fields).toHaveProperty(
      `${keys.at(-1)}.extension`,
      origin === 'extension' || path.includes('Scope'),
    )
  })

  it.each([
    ['to PostConfirmation is not expected', 'PostConfirmation | none expected'],
    ['to PreAuthentication is not expected', 'PreAuthentication | none expected'],
    ['to PostAuthentication is not expected', 'PostAuthentication | none expected'],
    ['to CustomEmailSender is not read', 'CustomEmailSender | not read'],
    ['to CustomSMSSender is not read', 'CustomSMSSender | not read'],
  ] as const)('%s', (_, row) => {
    const [trigger, answer] = row.split(' | ') as [Trigger, string]
    expect(triggers[trigger]).toMatchObject({ answer, response: {} })
  })

  it('to token generation of version 2 or 3 must have claims that are plain JSON without cycles', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    for (const claim of [
      cycle,
      new Array(1),
      Object.assign(['a'], { toJSON: () => null }),
      Number.NaN,
      () => 1,
      1n,
      undefined,
      new Date(0),
      new Map([[1, 2]]),
    ]) {
      const response = {
        claimsAndScopeOverrideDetails: { idTokenGeneration: { claimsToAddOrOverride: { claim } } },
      }
      expect(compile(responseCodec('TokenGeneration'))(response)).toBe(false)
    }
  })
})

it.each(triggerNames)('every generated answer to %s is valid, even with unknown fields', trigger => {
  fc.assert(
    fc.property(triggerResponses(trigger), response => {
      expect(problems(responseCodec(trigger), response)).toEqual([])
      expect(compile(responseCodec(trigger))({ ...response, whatever: 1 })).toBe(true)
    }),
  )
})
