import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { poolSetup, poolId as UserPoolId } from '../../../testing/pool-setup.ts'

type Setup = Awaited<ReturnType<typeof poolSetup>>

const add = (setup: Setup, Username: string, attributes: { readonly [name: string]: string } = {}) =>
  setup.call('AdminCreateUser', {
    UserPoolId,
    Username,
    MessageAction: 'SUPPRESS',
    UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
  })

async function found(setup: Setup, Filter: string): Promise<readonly string[]> {
  const { Users } = await setup.call('ListUsers', { UserPoolId, Filter })
  return Users.map(({ Username }: { readonly Username: string }) => Username)
}

it('ListUsers finds users by the full value or a prefix of each searchable attribute', async () => {
  await using setup = await poolSetup({ pool: { custom: { tenant: 'string' } } })
  const attributes = {
    email: 'ann@example.com',
    phone_number: '+4930123456',
    name: 'Ann "A\\" Lee',
    given_name: 'Ann',
    family_name: 'Lee',
    preferred_username: 'annie',
  }
  const { User } = await add(setup, 'ann', attributes)
  await add(setup, 'bob', { email: 'bob@example.com', given_name: 'Annabel' })
  await setup.call('AdminDisableUser', { UserPoolId, Username: 'bob' })
  const sub = User.Attributes.find(({ Name }: { readonly Name: string }) => Name === 'sub').Value as string
  const quoted = (value: string) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`
  for (const [name, value] of Object.entries({ ...attributes, username: 'ann', sub })) {
    expect(await found(setup, `${name} = ${quoted(value)}`)).toEqual(['ann'])
    expect(await found(setup, `${name}=${quoted(`${value}x`)}`)).toEqual([])
    expect(await found(setup, `${name}^=${quoted(value.slice(0, -1))}`)).toContain('ann')
    expect(await found(setup, `"${name}" = ${quoted(value)}`)).toEqual(['ann'])
  }
  expect(await found(setup, 'given_name ^= "Ann"')).toEqual(['ann', 'bob'])
  expect(await found(setup, 'given_name = "ann"')).toEqual([])
  expect(await found(setup, 'cognito:user_status = "FORCE_CHANGE_PASSWORD"')).toEqual(['ann', 'bob'])
  expect(await found(setup, 'cognito:user_status = "force_change_Password"')).toEqual(['ann', 'bob'])
  expect(await found(setup, 'cognito:user_status ^= "force"')).toEqual(['ann', 'bob'])
  expect(await found(setup, 'cognito:user_status ^= "CONF"')).toEqual([])
  for (const filter of ['status = "Enabled"', 'status="enabled"', 'status ^= "En"'])
    expect(await found(setup, filter)).toEqual(['ann'])
  expect(await found(setup, 'status = "Disabled"')).toEqual(['bob'])
  expect(await found(setup, 'status ^= ""')).toEqual(['ann', 'bob'])
  expect(await found(setup, 'status = "asleep"')).toEqual([])
  expect(await found(setup, '  ')).toEqual(['ann', 'bob'])
})

it.each([
  'email',
  'email = ann',
  'email != "a"',
  'email = "a" and name = "b"',
  'email = "a',
  '"email = "a"',
  'email" = "a"',
  'custom:tenant = "t1"',
  'nickname = "a"',
  '__proto__ = "a"',
  'name = "a" or 1=1 --"',
])('ListUsers refuses the filter %j', async Filter => {
  await using setup = await poolSetup({ pool: { custom: { tenant: 'string' } } })
  await expect(setup.call('ListUsers', { UserPoolId, Filter })).rejects.toMatchObject({
    type: 'InvalidParameterException',
  })
})

it('paging returns each user exactly once and in order, even while other users are added and deleted', async () => {
  const name = fc.string({ unit: fc.constantFrom(...'abc'), minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(name, { minLength: 1, maxLength: 12 }),
      fc.array(fc.tuple(name, fc.boolean()), { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (before, changes, Limit) => {
        await using setup = await poolSetup()
        for (const each of before) await add(setup, each, { given_name: 'x' })
        const there = new Set(before)
        const gone = new Set<string>()
        const added = new Set<string>()
        const listed: string[] = []
        const waiting = [...changes]
        let PaginationToken: string | undefined
        do {
          const page = await setup.call('ListUsers', {
            UserPoolId,
            Limit,
            Filter: 'given_name = "x"',
            ...(PaginationToken !== undefined && { PaginationToken }),
          })
          listed.push(...page.Users.map(({ Username }: { readonly Username: string }) => Username))
          PaginationToken = page.PaginationToken
          const [who, isAdded] = waiting.shift() ?? []
          if (who === undefined) continue
          if (isAdded && !there.has(who)) {
            await add(setup, who, { given_name: 'x' })
            there.add(who)
            added.add(who)
          } else if (!isAdded && there.has(who)) {
            await setup.call('AdminDeleteUser', { UserPoolId, Username: who })
            there.delete(who)
            gone.add(who)
          }
        } while (PaginationToken !== undefined)
        expect(listed).toEqual([...new Set(listed)].sort())
        const stayed = before.filter(each => !gone.has(each) && !added.has(each))
        expect(listed).toEqual(expect.arrayContaining(stayed))
        for (const each of listed) expect(before.includes(each) || added.has(each)).toBe(true)
      },
    ),
    { numRuns: 25 },
  )
})
