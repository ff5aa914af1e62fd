import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { MailStore } from '../store/mail-store.ts'
import { acceptedMailSuite } from './mail-store/accepted-mail-suite.ts'
import { dueDeliveries } from './mail-store/due-work.ts'
import { earlyDecisionSuite } from './mail-store/early-decision-suite.ts'
import { newMail, recipient } from './mail-store/new-mail.ts'
import { queuedMailSuite } from './mail-store/queued-mail-suite.ts'
import { workOfMailSuite } from './mail-store/work-of-mail-suite.ts'

/** A store under test. */
export interface OpenedStore {
  readonly store: MailStore
  /** Opens the same mails a second time, as another process does. */
  readonly openAgain: () => Promise<MailStore>
  /** Closes the store and deletes its mails. */
  readonly end: () => Promise<void>
}

/**
 * The shared tests of mail stores, which every storage engine must pass.
 * @param engine the name of the engine
 * @param open opens a store without mails
 */
export function mailStoreSuite(engine: string, open: () => Promise<OpenedStore>): void {
  describe(`a mail store in ${engine}`, () => {
    let opened: OpenedStore
    let store: MailStore
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.end())

    const current = () => store
    acceptedMailSuite(current)
    workOfMailSuite(current)
    queuedMailSuite(current)
    earlyDecisionSuite(current)

    it('deletes only old mails whose delivery is finished', async () => {
      const over = { recipients: [recipient('bob', { state: 'dropped', why: '' })] } as const
      await store.accept(newMail('old', { receivedAt: 1000, ...over }))
      await store.accept(newMail('old and queued', { receivedAt: 1000 }))
      await store.accept(newMail('new', { receivedAt: 2000, ...over }))
      while (await store.forget(1000)) {}
      expect((await store.states()).map(({ id }) => id).sort()).toEqual(['new', 'old and queued'])
    })

    it('reports changes by another process', async () => {
      const another = await opened.openAgain()
      let stopWatching = () => {}
      const changed = new Promise<void>(resolve => {
        stopWatching = store.watch(resolve)
      })
      await another.accept(newMail('one'))
      await expect(changed).resolves.toBeUndefined()
      stopWatching()
      await another.close()
      expect(await dueDeliveries(store, 1000)).toHaveLength(1)
    })
  })
}
