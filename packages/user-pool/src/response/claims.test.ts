import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import fc from 'fast-check'
import { expectedInsteadOfClaim } from '../contract/fields/claim.ts'
import { reservedClaims, responseProblems, type TriggerEvent } from '../contract/index.ts'
import { tokenGenerationEvent } from '../testing/index.ts'
import { userPool } from '../user-pool.ts'
import { claims } from './claims.ts'

const v1 = tokenGenerationEvent()
const v2 = tokenGenerationEvent({}, { version: '2' })
const v3 = tokenGenerationEvent({}, { version: '3', triggerSource: 'TokenGeneration_ClientCredentials' })

describe('claims()', () => {
  it('builds claimsOverrideDetails for an event of version 1', () => {
    const answer = claims()
      .set('tenant', 't1')
      .suppress('email', 'phone_number')
      .groups(['staff'], { roles: ['reader'], preferredRole: 'reader' })
      .for(v1)
    expect(answer).toEqual({
      claimsOverrideDetails: {
        claimsToAddOrOverride: { tenant: 't1' },
        claimsToSuppress: ['email', 'phone_number'],
        groupOverrideDetails: {
          groupsToOverride: ['staff'],
          accessRolesToOverride: ['reader'],
          preferredRole: 'reader',
        },
      },
    })
    expect(responseProblems('TokenGeneration', answer, v1)).toEqual([])
  })

  it.each([
    ['has version 2', v2],
    ['has version 3', v3],
    ['has scopes', tokenGenerationEvent({ scopes: ['a'] })],
  ] as const)('builds claimsAndScopeOverrideDetails for both tokens if the event %s', (_, event) => {
    const answer = claims()
      .set('tenant', 't1')
      .set('limits', { seats: 3, beta: true, tags: ['a'] })
      .suppress('email')
      .groups(['staff'])
      .scopes({ add: ['orders/read'] })
      .scopes({ add: ['orders/write'], suppress: ['profile'] })
      .for(event)
    const both = {
      claimsToAddOrOverride: { tenant: 't1', limits: { seats: 3, beta: true, tags: ['a'] } },
      claimsToSuppress: ['email'],
    }
    expect(answer).toEqual({
      claimsAndScopeOverrideDetails: {
        idTokenGeneration: both,
        accessTokenGeneration: {
          ...both,
          scopesToAdd: ['orders/read', 'orders/write'],
          scopesToSuppress: ['profile'],
        },
        groupOverrideDetails: { groupsToOverride: ['staff'] },
      },
    })
    expect(responseProblems('TokenGeneration', answer, event)).toEqual([])
  })

  it.each([...reservedClaims.filter(name => name !== 'scope'), 'pool:username', 'cognito:tier'])(
    'refuses to set or suppress %s, and the error lists the reserved claims',
    name => {
      const list = reservedClaims.join(', ')
      expect(() => claims().set(name, 'x')).toThrow(
        `The claim ${name} is reserved. No trigger may set or suppress ${list}, or other claims that begin with pool: or cognito:.`,
      )
      expect(() => claims().suppress('email', name)).toThrow(`The claim ${name} is reserved`)
    },
  )

  it('refuses the claim scope, and the error suggests scopes()', () => {
    const error = 'The claim scope has the scopes: use scopes(…).'
    expect(() => claims().set('scope', 'orders')).toThrow(error)
    expect(() => claims().suppress('scope')).toThrow(error)
  })

  it('suppresses a claim of developers, but refuses to set it', () => {
    expect(responseProblems('TokenGeneration', claims().suppress('dev:tier').for(v1), v1)).toEqual([])
    expect(() => claims().set('dev:tier', 'x')).toThrow(
      'The claim dev:tier may be suppressed, but no trigger may set it.',
    )
  })

  it('refuses to both set and suppress a claim, in either order', () => {
    expect(() => claims().set('email', 'x').suppress('email')).toThrow(
      'The claim "email" is both set and suppressed.',
    )
    expect(() => claims().suppress('email').set('email', 'x')).toThrow(
      'The claim "email" is both set and suppressed.',
    )
  })

  it('refuses to set a group claim with set(), and the error suggests groups()', () => {
    for (const name of ['pool:groups', 'cognito:groups'])
      expect(() => claims().set(name, 'a')).toThrow(`The claim ${name} is about groups: use groups(…).`)
  })

  it('refuses a value that events of version 1 do not support, and the error names the claim', () => {
    expect(() =>
      claims()
        .set('a/b~c', null as never)
        .for(v1),
    ).toThrow('/a~1b~0c: expected a string')
    expect(() => claims().set('seats', 3).for(v1)).toThrow(
      '/response/claimsOverrideDetails/claimsToAddOrOverride/seats: expected a string, which is all that events before version 2 support, was a number',
    )
    expect(() =>
      claims()
        .scopes({ add: ['a'] })
        .for(v1),
    ).toThrow('/response/claimsAndScopeOverrideDetails')
  })

  it.each<[string, () => unknown, string]>([
    ['a string as groups', () => claims().groups('admin' as never), 'groups(…) takes a list of strings'],
    ['no event', () => claims().for(undefined as never), 'for(event) takes the event of the route'],
    [
      'a string as roles',
      () => claims().groups([], { roles: 'r' as never }),
      'groups(…, { roles }) takes a list',
    ],
    ['a string as scopes', () => claims().scopes({ add: 'a/read' as never }), 'scopes({ add }) takes a list'],
    [
      'a string as suppressed scopes',
      () => claims().scopes({ suppress: 'a' as never }),
      'scopes({ suppress }) takes',
    ],
    [
      'a list as a name',
      () => claims().suppress(['email'] as never),
      'suppress(…) takes strings, not a list',
    ],
    [
      'undefined as a name',
      () => claims().set(undefined as never, 'x'),
      'set(name, …) takes strings, not nothing',
    ],
    ['an object as a group', () => claims().groups([{}] as never), 'groups(…) takes strings, not an object'],
    ['a number as a name', () => claims().suppress(7 as never), 'suppress(…) takes strings, not a number'],
    [
      'the misspelt option role',
      () => claims().groups([], { role: [] } as never),
      'no option "role". Did you mean roles?',
    ],
    [
      'the misspelt option ad',
      () => claims().scopes({ ad: [] } as never),
      'scopes() has no option "ad". Did you mean add?',
    ],
  ])('refuses %s', (_, build, message) => {
    expect(build).toThrow(message)
  })

  it('returns a builder whose methods do not change the original builder', () => {
    const base = claims().suppress('email')
    const more = base.set('tenant', 't1').suppress('email', 'name')
    const answer = base.for(v1) as { claimsOverrideDetails: { claimsToSuppress: string[] } }
    answer.claimsOverrideDetails.claimsToSuppress.push('sub')
    expect(base.for(v1)).toEqual({
      claimsOverrideDetails: { claimsToAddOrOverride: {}, claimsToSuppress: ['email'] },
    })
    expect(more.for(v1)).toEqual({
      claimsOverrideDetails: { claimsToAddOrOverride: { tenant: 't1' }, claimsToSuppress: ['email', 'name'] },
    })
  })

  it('copies the claims into each response, so that changing a response does not change the builder', () => {
    const built = claims()
      .groups(['staff'], { roles: ['reader'] })
      .scopes({ add: ['a'], suppress: ['b'] })
    const before = JSON.stringify(built.for(v2))
    const spoil = (value: unknown): void => {
      if (Array.isArray(value)) value.push('spoilt')
      else if (typeof value === 'object' && value !== null)
        for (const part of Object.values(value)) spoil(part)
    }
    spoil(built.for(v2))
    expect(JSON.stringify(built.for(v2))).toBe(before)
  })

  it('builds a valid answer from any name and value that it accepts', () => {
    const name = fc.string().filter(text => expectedInsteadOfClaim(text, 'set') === undefined)
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), fc.array(name), (set, suppress) => {
        let built = claims()
        for (const [claim, value] of Object.entries(set)) built = built.set(claim, value)
        built = built.suppress(...suppress.filter(claim => !Object.hasOwn(set, claim)))
        for (const event of [v1, v2])
          expect(responseProblems('TokenGeneration', built.for(event), event)).toEqual([])
      }),
    )
  })
})

describe('a TokenGeneration route', () => {
  const run = (route: unknown, event = v1) =>
    signalbox(userPool({ TokenGeneration: route as never }))(structuredClone(event), {})

  it('fails when it returns the builder instead of the result of for(event)', async () => {
    await expect(run(() => claims().set('tenant', 't1'))).rejects.toThrow(
      '/response: expected what its for(event) returns, was a builder of claims',
    )
  })

  it.each([
    ['undefined', () => undefined],
    ['the event', (event: unknown) => event],
  ])('fails when it builds claims with for(event) but returns %s', async (_, returned) => {
    const route = (event: TriggerEvent<'TokenGeneration_HostedAuth'>) => {
      claims().set('tenant', 't1').for(event)
      return returned(event)
    }
    await expect(run(route)).rejects.toThrow(
      '/response: expected the claims that the route built with for(event): return them, was nothing',
    )
    await expect(run(async (event: never) => route(event))).rejects.toThrow('return them, was nothing')
  })

  it('may write the claims into the event itself', async () => {
    const route = (event: TriggerEvent<'TokenGeneration_HostedAuth'>) => {
      event.response = claims().set('tenant', 't1').for(event)
    }
    expect(await run(route)).toMatchObject({
      response: { claimsOverrideDetails: { claimsToAddOrOverride: { tenant: 't1' } } },
    })
  })

  it.each([
    ['development', 'without for(event)', () => void claims().set('tenant', 't1')],
    ['development', 'with for(event)', () => void claims().set('tenant', 't1').for(v1)],
    ['test', 'without for(event)', () => void claims().set('tenant', 't1')],
  ])('causes a warning in %s when it builds claims %s and returns nothing', async (environment, _, route) => {
    const { warn } = console
    const { NODE_ENV } = process.env
    const warnings: unknown[] = []
    try {
      console.warn = (text: unknown) => warnings.push(text)
      process.env.NODE_ENV = environment
      await run(route)
      await run(() => undefined)
      await run((event: TriggerEvent<'TokenGeneration_HostedAuth'>) =>
        claims().set('tenant', 't1').for(event),
      )
      expect(warnings).toEqual([
        'TokenGeneration: the route calls claims() and returns nothing. Return claims()….for(event).',
      ])
      process.env.NODE_ENV = 'production'
      await run(route)
      expect(warnings).toHaveLength(1)
    } finally {
      console.warn = warn
      process.env.NODE_ENV = NODE_ENV
    }
  })

  it('causes no warning when another route builds claims while it runs', async () => {
    const { warn } = console
    const warnings: unknown[] = []
    try {
      console.warn = (text: unknown) => warnings.push(text)
      const route = async ({ userName }: TriggerEvent<'TokenGeneration_HostedAuth'>) => {
        await null
        if (userName !== 'eve') return claims().set('tenant', 't1').for(v1)
        await null
        return undefined
      }
      const handler = signalbox(userPool({ TokenGeneration: route }))
      await Promise.all(['eve', 'ada'].map(userName => handler(tokenGenerationEvent({}, { userName }), {})))
      expect(warnings).toEqual([])
    } finally {
      console.warn = warn
    }
  })
})
