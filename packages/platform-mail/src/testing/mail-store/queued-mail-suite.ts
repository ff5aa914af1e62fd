import { beforeEach, describe, expect, it } from '@jest/globals'
import type { MailStore } from '../../store/mail-store.ts'
import { dueDeliveries, dueInvocations, stateOf } from './due-work.ts'
import { delivering, newMail, recipient, undecided, undecidedMail } from './new-mail.ts'

/**
 * The tests of an operator's changes to queued mails.
 * @param current returns the open store of the running test
 */
export function queuedMailSuite(current: () => MailStore): void {
  let store: MailStore
  beforeEach(() => {
    store = current()
  })

  describe('queued mails', () => {
    it('are due at once after a flush by id, or after a flush of all mails unless they are held', async () => {
      for (const id of ['one', 'two', 'three']) await store.accept(newMail(id))
      for (const delivery of await dueDeliveries(store, 1000)) {
        const [bob] = delivery.recipients
        const later = { dispositions: [{ recipient: bob!.id, ...delivering }], report: undefined }
        await store.concludeDelivery(delivery, 1, later, 60_000, 1000)
      }
      expect(await store.flush(['tw'], 2000)).toEqual(['two'])
      expect((await dueDeliveries(store, 2000)).map(({ mail }) => mail)).toEqual(['two'])
      await store.hold(['one'])
      expect([...(await store.flush([], 3000))].sort()).toEqual(['three', 'two'])
      expect((await dueDeliveries(store, 3000)).map(({ mail }) => mail)).toEqual(['three'])
    })

    it('are counted by the state of their recipients', async () => {
      expect(await store.counts()).toEqual({ recipients: {}, held: 0 })
      await store.accept(newMail('one'))
      await store.accept(
        undecidedMail('two', { recipients: [recipient('ann', undecided), recipient('bob')] }),
      )
      await store.hold(['two'])
      expect(await store.counts()).toEqual({ recipients: { delivering: 2, undecided: 1 }, held: 1 })
    })

    it('have no due invocations or deliveries while they are held', async () => {
      await store.accept(newMail('one'))
      await store.accept(undecidedMail('two'))
      expect(await store.hold(['one', 'two', 'one'])).toEqual(['one', 'two'])
      expect(await store.claimDeliveries('mailbox', 1000, 10)).toEqual({ work: [], nextAt: undefined })
      expect(await store.claimInvocations('sort', 1000, 10)).toEqual({ work: [], nextAt: undefined })
      expect(await stateOf(store, 'one')).toMatchObject({ held: true, recipients: [{ nextAt: undefined }] })
      expect(await store.release(['one', 'two'])).toEqual(['one', 'two'])
      expect(await dueDeliveries(store, 1000)).toHaveLength(1)
      expect(await dueInvocations(store, 1000)).toHaveLength(1)
    })

    it('disappear when they are removed, even if their invocations and deliveries end later', async () => {
      await store.accept(
        undecidedMail('one', { recipients: [recipient('ann', undecided), recipient('bob')] }),
      )
      const [invocation] = await dueInvocations(store, 1000)
      const [delivery] = await dueDeliveries(store, 1000)
      expect(await store.remove(['one'])).toEqual(['one'])
      const conclusion = { dispositions: [], added: [], report: newMail('report') }
      await store.concludeInvocation(invocation!, conclusion, 2000)
      await store.concludeDelivery(delivery!, 1, conclusion, 3000, 2000)
      expect(await store.states()).toEqual([])
      expect(await store.raw('one')).toBeUndefined()
      expect(await store.awaitedFunctions()).toEqual([])
    })

    it.each([
      ['an unknown id', ['one', 'x'], 'MAIL_NOT_FOUND'],
      ['an empty id', ['one', ''], 'MAIL_NOT_FOUND'],
      ['a wildcard', ['one', '%'], 'MAIL_NOT_FOUND'],
      ['the beginning of two ids', ['one', 't'], 'AMBIGUOUS_MAIL'],
      ['a mail that is not queued', ['one', 'over'], 'MAIL_NOT_QUEUED'],
    ] as const)('are not changed by an operation that also names %s', async (_, names, code) => {
      for (const id of ['one', 'two', 'three']) await store.accept(newMail(id))
      await store.accept(newMail('over', { recipients: [recipient('bob', { state: 'dropped', why: '' })] }))
      await expect(store.hold(names)).rejects.toMatchObject({ code })
      await expect(store.remove(names)).rejects.toMatchObject({ code })
      expect((await store.states()).filter(({ held }) => held)).toEqual([])
      expect(await store.states()).toHaveLength(4)
    })

    it('cannot be flushed while they are held or undecided, or released while they are not held', async () => {
      await store.accept(newMail('one'))
      await store.accept(undecidedMail('two'))
      await store.hold(['one'])
      await expect(store.flush(['one'], 2000)).rejects.toMatchObject({ code: 'MAIL_HELD' })
      await expect(store.flush(['two'], 2000)).rejects.toMatchObject({ code: 'NO_DELIVERY' })
      await expect(store.release(['two'])).rejects.toMatchObject({ code: 'MAIL_NOT_HELD' })
    })
  })
}
