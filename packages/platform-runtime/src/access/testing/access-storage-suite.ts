import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import { systemRandom } from '../../random.ts'
import { vault } from '../../secrets/vault.ts'
import { accessLog } from '../access-log.ts'
import type { AccessLog } from '../access-record.ts'
import type { AccessStore, AccessStoreOptions } from '../access-storage.ts'
import { type AccessLogTable, accessLogLimits } from '../access-tables.ts'
import { keyStore } from '../key-store.ts'

/** The storage under test. */
export interface OpenedAccessStorage {
  /** Opens the same storage, as another process does. */
  readonly open: (options: AccessStoreOptions) => Promise<AccessStore>
  /** Deletes the data of the closed stores. */
  readonly end: () => Promise<void>
}

const start = 1_700_000_040_000
const record = {
  identity: 'shop',
  source: 'queues',
  operation: 'SendMessage',
  resource: 'orders',
  result: 'allowed',
  address: '192.0.2.1',
}
const ownVault = vault(new Uint8Array(32), systemRandom)

/**
 * Declares the shared test suite for the storage port of access data, which each engine has to pass.
 * @param engine the name of the engine
 * @param make creates an empty storage
 */
export function accessStorageSuite(engine: string, make: () => Promise<OpenedAccessStorage>): void {
  let storage: OpenedAccessStorage
  let stores: AccessStore[] = []
  let logs: AccessLog[] = []
  let clock: ManualClock
  let notices: string[]
  beforeEach(async () => {
    storage = await make()
    clock = manualClock(start)
    notices = []
  })
  afterEach(async () => {
    for (const log of logs) await log.close()
    for (const store of stores) await store.close()
    stores = []
    logs = []
    await storage.end()
  })
  const open = async () => {
    const store = await storage.open({ age: 3_600_000, clock })
    stores.push(store)
    return store
  }
  const openKeys = async () => keyStore((await open()).keys, ownVault, { clock, random: systemRandom })
  const openLog = async () => {
    const { log: table } = await open()
    const log = accessLog(() => table, { clock, notice: text => notices.push(text) })
    logs.push(log)
    return log
  }
  /** Waits, because another process may notice a change up to a second later. */
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise(resolve => setTimeout(resolve, 10))
  }

  describe(`access keys in ${engine}`, () => {
    it('are valid until they expire or are revoked, in every process', async () => {
      const [command, platform] = [await openKeys(), await openKeys()]
      const { accessKeyId, secretAccessKey } = await command.add('shop')
      expect(accessKeyId).toMatch(/^SBAK[A-Z2-7]{16}$/)
      expect(secretAccessKey).toMatch(/^[A-Za-z0-9+/]{40}$/)
      await until(() => platform.valid(accessKeyId) !== undefined)
      expect(platform.valid(accessKeyId)).toEqual({ secret: secretAccessKey, identity: 'shop' })
      expect(await command.expire(accessKeyId, clock.now() + 1000)).toBe(true)
      expect(platform.valid(accessKeyId)).toBeDefined()
      await clock.advance(999)
      expect(command.valid(accessKeyId)).toBeDefined()
      await clock.advance(1)
      expect(command.valid(accessKeyId)).toBeUndefined()
      await until(() => platform.valid(accessKeyId) === undefined)

      const other = await command.add('shop')
      expect(other.accessKeyId).not.toBe(accessKeyId)
      await until(() => platform.valid(other.accessKeyId) !== undefined)
      expect(await command.revoke(other.accessKeyId)).toBe(true)
      expect(command.valid(other.accessKeyId)).toBeUndefined()
      await until(() => platform.valid(other.accessKeyId) === undefined)
      expect(await command.revoke(other.accessKeyId)).toBe(false)
      expect(await command.expire(other.accessKeyId, 1)).toBe(false)
      expect(await platform.list()).toEqual([
        {
          id: accessKeyId,
          identity: 'shop',
          created: start,
          expires: start + 1000,
          revoked: undefined,
        },
        {
          id: other.accessKeyId,
          identity: 'shop',
          created: clock.now(),
          expires: undefined,
          revoked: clock.now(),
        },
      ])
      expect(platform.valid('SBAKUNKNOWN')).toBeUndefined()
      expect(await platform.revoke('SBAKUNKNOWN')).toBe(false)
    })

    it('expire by the wall clock, which the command that set the time had', async () => {
      const keys = await openKeys()
      const { accessKeyId } = await keys.add('shop')
      clock.jump(-3_600_000)
      expect(await keys.expire(accessKeyId, clock.wall() + 1000)).toBe(true)
      await clock.advance(999)
      expect(keys.valid(accessKeyId)).toBeDefined()
      await clock.advance(1)
      expect(keys.valid(accessKeyId)).toBeUndefined()
    })

    it('still exist when the storage is opened again', async () => {
      const made = await (await openKeys()).add('shop')
      const again = await openKeys()
      expect(again.valid(made.accessKeyId)).toEqual({ secret: made.secretAccessKey, identity: 'shop' })
    })

    it('can be decrypted only with the encryption key, and only under their own id', async () => {
      const { keys } = await open()
      const store = keyStore(keys, ownVault, { clock, random: systemRandom })
      const { accessKeyId } = await store.add('shop')
      const { sealed } = keys.find(accessKeyId)!
      await keys.insert({ id: 'OTHER', identity: 'admin', sealed, created: start })
      expect(store.valid('OTHER')).toBeUndefined()
      const otherVault = vault(new Uint8Array(32).fill(1), systemRandom)
      expect(keyStore(keys, otherVault, { clock, random: systemRandom }).valid(accessKeyId)).toBeUndefined()
    })
  })

  describe(`an access log in ${engine}`, () => {
    it('joins equal records within a minute into one entry, and keeps different records separate', async () => {
      const [log, other] = [await openLog(), await openLog()]
      log.add(record)
      log.add({ ...record, result: 'denied' })
      log.add({ ...record, identity: undefined, resource: undefined, result: 'InvalidSignature' })
      await log.read()
      await clock.advance(1000)
      other.add(record)
      await clock.advance(60_000)
      log.add(record)
      await other.read()
      const entries = await log.read()
      const once = { first: start, last: start, count: 1 }
      expect(entries.map(({ id: _, ...entry }) => entry)).toEqual([
        expect.objectContaining({ ...once, result: expect.stringMatching(/denied|Invalid/) }),
        expect.objectContaining({ ...once, result: expect.stringMatching(/denied|Invalid/) }),
        { ...record, first: start, last: start + 1000, count: 2 },
        { ...record, first: start + 61_000, last: start + 61_000, count: 1 },
      ])
      expect(new Set(entries.map(({ id }) => id)).size).toBe(4)
      expect(await log.read({ refused: true })).toHaveLength(2)
      expect(await log.read({ identity: 'shop', last: 1 })).toMatchObject([{ first: start + 61_000 }])
    })

    it('writes a record within a second', async () => {
      const { log: table } = await open()
      const log = accessLog(() => table, { clock, notice: () => {} })
      log.add(record)
      await clock.advance(1000)
      while ((await table.read()).length === 0) await new Promise(resolve => setTimeout(resolve, 10))
      expect(await table.read()).toMatchObject([record])
      await log.close()
    })

    it('keeps its entries while the clock is ahead, and after a start with a clock that was ahead', async () => {
      const day = 24 * 3_600_000
      /** Writes so many records at the present time that the log looks for old ones. */
      const fill = async (log: AccessLogTable, operation: string) => {
        const now = clock.wall()
        const counts = Array.from({ length: accessLogLimits.pruneEvery }, (_, at) => ({
          ...{ ...record, operation, resource: `r${at}` },
          ...{ first: now, last: now, count: 1 },
        }))
        await log.write(counts)
      }
      const { log } = await open()
      const kept = async (wanted: string) =>
        (await log.read({ last: 10_000 })).filter(({ operation }) => operation === wanted).length
      await fill(log, 'before')
      clock.jump(400 * day)
      await fill(log, 'ahead')
      expect([await kept('before'), await kept('ahead')]).toEqual([1000, 1000])
      clock.jump(-800 * day)
      await fill(log, 'after')
      expect(await kept('after')).toBe(1000)
    })

    it('stays small when clients try many names', async () => {
      const log = await openLog()
      for (let number = 0; number < 5000; number++)
        log.add({ ...record, identity: undefined, resource: `r${number}`, address: `192.0.2.${number}` })
      const entries = await log.read({ last: 10_000 })
      expect(entries).toHaveLength(2001)
      expect(entries.find(({ address }) => address === 'several')).toMatchObject({ count: 3000 })
    })

    it('finds entries that pass all filters, even entries that are not written yet', async () => {
      const log = await openLog()
      log.add(record)
      const mail = { ...record, source: 'mail', operation: 'MAIL', resource: 'shop@example.com' }
      log.add({ ...mail, result: 'denied' })
      log.add({ ...record, identity: 'other', address: '192.0.2.77' })
      const found = async (query: object) =>
        (await log.read(query)).map(({ identity, source }) => `${identity} ${source}`).sort()
      expect(await found({})).toEqual(['other queues', 'shop mail', 'shop queues'])
      expect(await found({ source: 'queues', identity: 'shop' })).toEqual(['shop queues'])
      expect(await found({ text: '@example' })).toEqual(['shop mail'])
      expect(await found({ text: '2.77' })).toEqual(['other queues'])
      expect(await found({ text: 'SendM', identity: 'other' })).toEqual(['other queues'])
      expect(await found({ text: "' or 1 = 1" })).toEqual([])
      expect(await found({ text: '\0' })).toEqual([])
      expect(await found({ refused: true })).toEqual(['shop mail'])
    })

    it('accepts names with any characters, and truncates long names', async () => {
      const log = await openLog()
      log.add({ ...record, operation: 'x'.repeat(10_000), resource: `a\0b\ud800${'é'.repeat(1000)}` })
      const [entry] = await log.read()
      expect([entry!.operation.length, entry!.resource!.length]).toEqual([256, 256])
      expect(notices).toEqual([])
    })

    it('deletes old entries', async () => {
      const log = await openLog()
      log.add(record)
      await log.read()
      await clock.advance(7_200_000)
      for (let number = 0; number < 1000; number++) log.add({ ...record, resource: `r${number}` })
      expect(await log.read({ last: 2000 })).toHaveLength(1000)
    })
  })
}
