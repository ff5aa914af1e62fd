import { beforeEach, describe, expect, it } from '@jest/globals'
import type { MailStore, PendingInvocation } from '../../store/mail-store.ts'
import { dueDeliveries, dueInvocations, stateOf } from './due-work.ts'
import { delivering, newMail, recipient, rule, undecided, undecidedMail } from './new-mail.ts'

/**
 * The tests of due invocations and deliveries, and of their results.
 * @param current returns the open store of the running test
 */
export function workOfMailSuite(current: () => MailStore): void {
  let store: MailStore
  beforeEach(() => {
    store = current()
  })

  describe('due work', () => {
    it('is claimed by only one worker, earliest first, up to the limit', async () => {
      for (const [id, receivedAt] of [
        ['two', 1002],
        ['one', 1001],
        ['three', 1003],
      ] as const)
        await store.accept(undecidedMail(id, { receivedAt }))
      expect((await dueInvocations(store, 1003, 2)).map(({ mail }) => mail)).toEqual(['one', 'two'])
      expect((await dueInvocations(store, 1003)).map(({ mail }) => mail)).toEqual(['three'])
      expect(await dueInvocations(store, 1003)).toEqual([])
    })

    it('is returned by a claim together with the time when more work becomes due', async () => {
      await store.accept(undecidedMail('one', { receivedAt: 1000 }))
      await store.accept(undecidedMail('two', { receivedAt: 5000 }))
      expect(await store.claimInvocations('sort', 999, 10)).toEqual({ work: [], nextAt: 1000 })
      expect(await store.claimInvocations('sort', 1000, 10)).toMatchObject({
        work: [{ mail: 'one' }],
        nextAt: 5000,
      })
      expect((await store.claimInvocations('other', 1000, 10)).nextAt).toBeUndefined()
    })

    it('is due again at the time that a worker sets when it returns the work', async () => {
      await store.accept(undecidedMail('one'))
      await store.accept(newMail('two'))
      const [invocation] = await dueInvocations(store, 1000)
      const [delivery] = await dueDeliveries(store, 1000)
      await store.giveBack(invocation!.work, 3000, 1000)
      await store.giveBack(delivery!.work, 4000, 1000)
      expect(await store.claimInvocations('sort', 2999, 10)).toEqual({ work: [], nextAt: 3000 })
      expect(await store.claimDeliveries('mailbox', 3999, 10)).toEqual({ work: [], nextAt: 4000 })
      expect(await dueInvocations(store, 3000)).toMatchObject([{ mail: 'one', attempts: 0 }])
      expect(await dueDeliveries(store, 4000)).toMatchObject([{ mail: 'two', attempts: 0 }])
    })
  })

  describe('the invocation of a mail', () => {
    it('is due again at a later time after a failure', async () => {
      await store.accept(undecidedMail('one'))
      const [invocation] = await dueInvocations(store, 1000)
      const how = {
        attempts: 1,
        firstFailedAt: 1500,
        why: 'broken',
        next: 'fallback',
        nextAt: 9000,
      } as const
      await store.postponeInvocation(invocation!, how, 1500)
      expect(await store.claimInvocations('sort', 8999, 10)).toEqual({ work: [], nextAt: 9000 })
      expect((await stateOf(store, 'one')).recipients).toMatchObject([
        { state: 'undecided', why: 'broken', attempts: 1, nextAt: 9000 },
      ])
      const { nextAt: _, ...stored } = how
      expect(await dueInvocations(store, 9000)).toMatchObject([stored])
    })

    it('has the recipients to which its rule applies, and no others of the same direction', async () => {
      const [first, second] = [
        { id: 'first', rule },
        { id: 'second', rule: { ...rule, functionName: 'other' } },
      ]
      const recipients = [
        { ...recipient('ann', undecided), invocation: 'first' },
        { ...recipient('bob', undecided), invocation: 'second' },
        { ...recipient('eve', undecided), invocation: 'first' },
        recipient('kim'),
      ]
      await store.accept(newMail('one', { recipients, invocations: [first, second] }))
      const named = (work: readonly PendingInvocation[]) =>
        work.map(each => [each.id, each.recipients.map(({ address }) => address)])
      const { work } = await store.claimInvocations('sort', 1000, 10)
      expect(named(work)).toEqual([['first', ['ann@office.example', 'eve@office.example']]])
      const other = await store.claimInvocations('other', 1000, 10)
      expect(named(other.work)).toEqual([['second', ['bob@office.example']]])
      await store.postponeInvocation(
        other.work[0]!,
        { attempts: 1, firstFailedAt: 1000, why: 'broken', next: 'attempt', nextAt: 9000 },
        1000,
      )
      expect((await stateOf(store, 'one')).recipients).toMatchObject([
        { why: 'sort has not decided yet', attempts: 0 },
        { why: 'broken', attempts: 1, nextAt: 9000 },
        { why: 'sort has not decided yet', attempts: 0 },
        { state: 'delivering' },
      ])
    })

    it('sets the dispositions, makes deliveries due and stores the report when it ends', async () => {
      const recipients = ['bob', 'eve', 'kim'].map(name => recipient(name, undecided))
      await store.accept(undecidedMail('one', { recipients }))
      const [invocation] = await dueInvocations(store, 1000)
      const [bob, eve, kim] = invocation!.recipients
      const report = newMail('report', { receivedAt: 2000, from: '', report: true })
      const dispositions = [
        { recipient: bob!.id, ...delivering, destination: 'junk' },
        { recipient: eve!.id, ...delivering, destination: 'relay' },
        { recipient: kim!.id, state: 'bounced', why: 'not wanted' },
      ] as const
      await store.concludeInvocation(invocation!, { dispositions, added: [], report }, 2000)
      expect((await stateOf(store, 'one')).recipients).toMatchObject([
        { state: 'delivering', nextAt: 2000 },
        { state: 'delivering', nextAt: 2000 },
        { state: 'bounced', why: 'not wanted', nextAt: undefined },
      ])
      expect(await stateOf(store, 'report')).toMatchObject({ report: true, from: '' })
      expect(await store.awaitedFunctions()).toEqual([])
      expect(await dueInvocations(store, 9000)).toEqual([])
      expect(await dueDeliveries(store, 2000)).toMatchObject([
        { mail: 'one', recipients: [{ address: 'bob@office.example', destination: 'junk' }] },
        { mail: 'report' },
      ])
      const { work } = await store.claimDeliveries('relay', 2000, 10)
      expect(work).toMatchObject([{ mail: 'one', recipients: [{ address: 'eve@office.example' }] }])
    })
  })

  describe('a mail whose content a function changes', () => {
    const raw = Buffer.from('Subject: [External] Hello\r\n\r\nHi!\r\n')
    const changed = {
      ...{ splitId: 'two', author: 'ann@far.example', subject: '[External] Hello', spam: true, raw },
    }

    it('has the new content, if all its recipients are those of the function', async () => {
      await store.accept(undecidedMail('one'))
      const [invocation] = await dueInvocations(store, 1000)
      const dispositions = [{ recipient: invocation!.recipients[0]!.id, ...delivering }]
      const result = { dispositions, added: [recipient('kim')], report: undefined, changed }
      await store.concludeInvocation(invocation!, result, 2000)
      expect(await store.states()).toMatchObject([
        { id: 'one', subject: '[External] Hello', size: raw.length, recipients: [{}, {}] },
      ])
      expect((await store.raw('one'))!.equals(raw)).toBe(true)
      expect(await dueDeliveries(store, 2000)).toMatchObject([
        { of: { id: 'one', spam: true }, recipients: [{}, {}] },
      ])
    })

    it('is divided, if it has further recipients', async () => {
      const sender = { facts: { client: { address: '192.0.2.1' } } }
      // Bob has no rule.
      const bob = { ...recipient('bob'), invocation: undefined }
      await store.accept(undecidedMail('one', { ...sender, recipients: [recipient('ann', undecided), bob] }))
      const [delivery] = await dueDeliveries(store, 1000)
      const [invocation] = await dueInvocations(store, 1000)
      await store.hold(['one'])
      const dispositions = [{ recipient: invocation!.recipients[0]!.id, ...delivering }]
      const added = [recipient('bob'), recipient('kim')]
      await store.concludeInvocation(invocation!, { dispositions, added, report: undefined, changed }, 2000)
      expect(await stateOf(store, 'one')).toMatchObject({
        ...{ subject: 'Hello', held: true, recipients: [{ address: 'bob@office.example' }] },
      })
      expect(await stateOf(store, 'two')).toMatchObject({
        ...{ subject: '[External] Hello', receivedAt: 1000, from: 'ann@far.example', held: true },
        recipients: [{ address: 'ann@office.example' }, { address: 'kim@office.example' }],
      })
      expect((await store.raw('one'))!.equals(raw)).toBe(false)
      expect((await store.raw('two'))!.equals(raw)).toBe(true)
      const bobsId = delivery!.recipients[0]!.id
      const done = { recipient: bobsId, state: 'delivered', why: '' } as const
      await store.concludeDelivery(delivery!, 1, { dispositions: [done], report: undefined }, 2000, 2000)
      await store.release(['two'])
      expect(await dueDeliveries(store, 2000)).toMatchObject([
        { of: { id: 'two', ...sender }, recipients: [{ address: 'ann@office.example' }, {}] },
      ])
    })
  })

  describe('recipients that a function adds', () => {
    it('get the mail, unless the mail already has their addresses', async () => {
      await store.accept(
        undecidedMail('one', { recipients: [recipient('ann', undecided), recipient('bob')] }),
      )
      const [delivery] = await dueDeliveries(store, 1000)
      const delivered = { recipient: delivery!.recipients[0]!.id, state: 'delivered', why: '' } as const
      await store.concludeDelivery(delivery!, 1, { dispositions: [delivered], report: undefined }, 1000, 1000)
      const [invocation] = await dueInvocations(store, 1000)
      const added = [
        recipient('bob'),
        recipient('kim'),
        recipient('kim'),
        recipient('eve', { state: 'failed', why: 'refused' }),
      ]
      await store.concludeInvocation(invocation!, { dispositions: [], added, report: undefined }, 2000)
      expect((await stateOf(store, 'one')).recipients).toMatchObject([
        { address: 'ann@office.example' },
        { address: 'bob@office.example', state: 'delivered' },
        { address: 'kim@office.example', state: 'delivering', nextAt: 2000 },
        { address: 'eve@office.example', state: 'failed', why: 'refused', nextAt: undefined },
      ])
      expect(await dueDeliveries(store, 2000)).toMatchObject([
        { mail: 'one', recipients: [{ address: 'kim@office.example' }] },
      ])
    })
  })

  describe('the delivery of a mail', () => {
    it('is due again for recipients that did not get the mail', async () => {
      await store.accept(newMail('one', { recipients: [recipient('bob'), recipient('eve')] }))
      const [delivery] = await dueDeliveries(store, 1000)
      expect(delivery).toMatchObject({ since: 1000, attempts: 0, repeated: false })
      const [bob, eve] = delivery!.recipients
      const dispositions = [
        { recipient: bob!.id, state: 'delivered', why: 'in the inbox' },
        { recipient: eve!.id, ...delivering, why: 'no space' },
      ] as const
      await store.concludeDelivery(delivery!, 1, { dispositions, report: undefined }, 7000, 1100)
      expect((await stateOf(store, 'one')).recipients).toMatchObject([
        { state: 'delivered', attempts: 1, nextAt: undefined },
        { state: 'delivering', why: 'no space', attempts: 1, nextAt: 7000 },
      ])
      expect(await store.claimDeliveries('mailbox', 6999, 10)).toEqual({ work: [], nextAt: 7000 })
      const [again] = await dueDeliveries(store, 7000)
      expect(again).toMatchObject({ attempts: 1, repeated: true, recipients: [{ id: eve!.id }] })
      const done = { recipient: eve!.id, state: 'delivered', why: 'in the inbox' } as const
      await store.concludeDelivery(again!, 2, { dispositions: [done], report: undefined }, 8000, 7000)
      expect(await store.claimDeliveries('mailbox', 9000, 10)).toEqual({ work: [], nextAt: undefined })
    })

    it('is due at once for recipients that a function decided on during a delivery attempt', async () => {
      await store.accept(
        undecidedMail('one', { recipients: [recipient('ann', undecided), recipient('bob')] }),
      )
      const [delivery] = await dueDeliveries(store, 1000)
      const [invocation] = await dueInvocations(store, 1000)
      const ann = invocation!.recipients.find(({ state }) => state === 'undecided')!
      const [bob] = delivery!.recipients
      await store.concludeInvocation(
        invocation!,
        { dispositions: [{ recipient: ann.id, ...delivering }], added: [], report: undefined },
        1005,
      )
      const later = { dispositions: [{ recipient: bob!.id, ...delivering }], report: undefined }
      await store.concludeDelivery(delivery!, 1, later, 9000, 1006)
      const [next] = await dueDeliveries(store, 1006)
      expect(next!.recipients).toHaveLength(2)
      const both = next!.recipients.map(({ id }) => ({ recipient: id, ...delivering }))
      await store.concludeDelivery(next!, 2, { dispositions: both, report: undefined }, 9000, 1007)
      expect(await store.claimDeliveries('mailbox', 8999, 10)).toEqual({ work: [], nextAt: 9000 })
    })

    it('counts as repeated after it was claimed and returned', async () => {
      await store.accept(newMail('one'))
      const [delivery] = await dueDeliveries(store, 1000)
      await store.giveBack(delivery!.work, 1000, 1000)
      expect(await dueDeliveries(store, 1000)).toMatchObject([{ repeated: true, attempts: 0 }])
    })
  })
}
