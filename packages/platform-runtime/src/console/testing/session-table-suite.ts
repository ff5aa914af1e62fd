import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Clock } from '@signalbox/core'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import type { SessionTable } from '../session-storage.ts'

/** The storage under test. */
export interface OpenedSessionStorage {
  /** Opens the same storage, as another platform does if the engine is shared. */
  readonly open: () => Promise<SessionTable>
  readonly end: () => Promise<void>
}

const hour = 60 * 60 * 1000

/**
 * Declares the shared test suite for the storage port of console sessions, which each engine has to pass.
 * @param engine the name of the engine
 * @param make creates an empty storage, which measures time with the given clock
 */
export function sessionTableSuite(
  engine: string,
  make: (clock: Clock) => Promise<OpenedSessionStorage>,
): void {
  describe(`console sessions in ${engine}`, () => {
    let storage: OpenedSessionStorage
    let clock: ManualClock
    let [one, other]: readonly SessionTable[] = []
    beforeEach(async () => {
      clock = manualClock(1_700_000_000_000)
      storage = await make(clock)
      one = await storage.open()
      other = await storage.open()
    })
    afterEach(() => storage.end())

    it('a sign-in link is valid only once, even when several platforms use it at the same time', async () => {
      await one!.addLink('link')
      const used = await Promise.all([one!, other!, one!, other!].map(table => table.useLink('link')))
      expect(used.filter(isValid => isValid)).toHaveLength(1)
      expect(await other!.useLink('unknown')).toBe(false)
    })

    it('only the newest twenty links of a platform are valid', async () => {
      for (let number = 0; number < 21; number++) await one!.addLink(`link ${number}`)
      expect(await other!.useLink('link 0')).toBe(false)
      expect(await other!.useLink('link 1')).toBe(true)
      expect(await one!.useLink('link 20')).toBe(true)
    })

    it('every platform finds a session and its key until one of the platforms ends the session', async () => {
      await one!.begin('of a link', { keyId: undefined })
      await one!.begin('of a key', { keyId: 'KEY' })
      for (const table of [one!, other!]) {
        expect(await table.find('of a link')).toEqual({ keyId: undefined })
        expect(await table.find('of a key')).toEqual({ keyId: 'KEY' })
        expect(await table.find('unknown')).toBeUndefined()
      }
      await other!.end('of a key')
      await other!.end('unknown')
      for (const table of [one!, other!]) expect(await table.find('of a key')).toBeUndefined()
      expect(await one!.find('of a link')).toBeDefined()
    })

    it('a session ends twelve hours after its last use on any platform', async () => {
      await one!.begin('session', { keyId: 'KEY' })
      for (const table of [other!, one!, other!]) {
        await clock.advance(12 * hour)
        expect(await table.find('session')).toEqual({ keyId: 'KEY' })
      }
      await clock.advance(12 * hour + 1)
      expect(await one!.find('session')).toBeUndefined()
      await one!.begin('next', { keyId: undefined })
      expect(await other!.find('session')).toBeUndefined()
    })
  })
}
