import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from '@jest/globals'
import { decodeProtectedHeader } from 'jose'
import { poolSetup, poolId as UserPoolId } from '../testing/pool-setup.ts'

const minute = 60_000

/** Two platforms with one database, whose clocks show the same time. */
async function twoPlatforms() {
  const database = new DatabaseSync(':memory:')
  const one = await poolSetup({ database })
  const other = await poolSetup({ database })
  await one.user()
  return {
    one,
    other,
    async advance(ms: number) {
      await one.clock.advance(ms)
      await other.clock.advance(ms)
    },
    async [Symbol.asyncDispose]() {
      await one.engine.stop()
      await other.engine.stop()
      database.close()
    },
  }
}

type Setup = Awaited<ReturnType<typeof poolSetup>>

async function accessToken(setup: Setup): Promise<string> {
  return (await setup.signIn()).AuthenticationResult.AccessToken
}

const rotate = async (setup: Setup): Promise<readonly string[]> =>
  (await setup.call('RotateSigningKeys', { UserPoolId })).KeyIds

describe('signing keys that another platform on the same database has rotated', () => {
  it('sign from a minute later on', async () => {
    await using platforms = await twoPlatforms()
    const { one, other, advance } = platforms
    await accessToken(other)
    const ids = await rotate(one)
    await advance(minute)
    expect(ids).toContain(decodeProtectedHeader(await accessToken(other)).kid)
  })

  it('are accepted at once, after any number of rotations', async () => {
    await using platforms = await twoPlatforms()
    const { one, other, advance } = platforms
    await accessToken(other)
    for (let rotation = 0; rotation < 3; rotation++) {
      await rotate(one)
      expect(await other.call('GetUser', { AccessToken: await accessToken(one) })).toHaveProperty('Username')
      await advance(minute)
    }
  })

  it('are accepted until the last token that they signed expires', async () => {
    await using platforms = await twoPlatforms()
    const { one, other, advance } = platforms
    await accessToken(other)
    await rotate(one)
    await advance(minute - 1)
    const AccessToken = await accessToken(other)
    await advance(60 * minute - 1000)
    expect(await one.call('GetUser', { AccessToken })).toHaveProperty('Username')
    await advance(1000)
    await expect(one.call('GetUser', { AccessToken })).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
  })

  it('are replaced again by a platform that has not read them yet', async () => {
    await using platforms = await twoPlatforms()
    const { one, other } = platforms
    await accessToken(other)
    const first = await rotate(one)
    const second = await rotate(other)
    expect(second).toHaveLength(2)
    for (const id of second) expect(first).not.toContain(id)
  })
})

it('signing keys stay in use while the database does not answer, and are then read again', async () => {
  const database = new DatabaseSync(':memory:')
  await using setup = await poolSetup({ database })
  await setup.user()
  const AccessToken = await accessToken(setup)
  await setup.clock.advance(2 * minute)
  database.exec('alter table keys rename to hidden')
  expect(await setup.call('GetUser', { AccessToken })).toHaveProperty('Username')
  database.exec('alter table hidden rename to keys')
  const ids = await rotate(setup)
  expect(ids).toContain(decodeProtectedHeader(await accessToken(setup)).kid)
})

it('a pool that another platform on the same database has created or removed is known half a minute later', async () => {
  await using platforms = await twoPlatforms()
  const { one, other, advance } = platforms
  const { UserPool } = await one.call('CreateUserPool', { PoolName: 'shop' })
  await advance(minute / 2)
  await other.engine.settled()
  const created = { UserPoolId: UserPool.Id }
  expect(await other.call('ListUsers', created)).toEqual({ Users: [] })
  await one.call('DeleteUserPool', created)
  await advance(minute / 2)
  await other.engine.settled()
  await expect(other.call('ListUsers', created)).rejects.toMatchObject({ type: 'ResourceNotFoundException' })
})
