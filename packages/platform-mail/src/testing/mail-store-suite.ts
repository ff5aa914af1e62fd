import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { MailStore, NewMail, NewRecipient } from '../store/mail-store.ts'

/** A store under test. */
export interface OpenedStore {
  readonly store: MailStore
  /** Opens the same mails a second time, as another process does. */
  readonly openAgain: () => Promise<MailStore>
  /** Closes the store and deletes its mails. */
  readonly end: () => Promise<void>
}

const rule = {
  direction: 'INBOUND',
  functionName: 'sort',
  mode: 'sync',
  timeout: 5,
  fallback: 'DROP',
} as const

const delivering = { state: 'delivering', destination: 'inbox', why: 'no rule matches it' } as const
const undecided = { state: 'undecided', why: 'sort has not decided yet' } as const

const recipient = (name: string, disposition: Omit<NewRecipient, 'address' | 'direction'> = delivering) => ({
  address: `${name}@office.example`,
  direction: 'INBOUND' as const,
  ...disposition,
})

const newMail = (id: string, more: Partial<NewMail> = {}): NewMail => ({
  id,
  receivedAt: 1000,
  from: 'ann@far.example',
  author: 'ann@far.example',
  subject: 'Hello',
  spam: false,
  report: false,
  raw: Buffer.from('Subject: Hello\r\n\r\nHi!\r\n'),
  recipients: [recipient('bob')],
  invocations: [],
  ...more,
})

/** A mail that waits for a function. */
const undecidedMail = (id: string, more: Partial<NewMail> = {}): NewMail =>
  newMail(id, {
    recipients: [recipient('bob', undecided)],
    invocations: [{ id: `invocation of ${id}`, rule }],
    ...more,
  })

/**
 * The shared suite of the storage port of mail: each engine passes it.
 * @param engine the name of the engine
 * @param open opens a store without mails
 */
export function mailStoreSuite(engine: string, open: () => Promise<OpenedStore>): void {
  describe(`a mail store of ${engine}`, () => {
    let opened: OpenedStore
    let store: MailStore
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.end())

    const dueInvocations = async (now: number, limit = 10) =>
      (await store.claimInvocations('sort', now, limit)).work
    const dueDeliveries = async (now: number, limit = 10) =>
      (await store.claimDeliveries('mailbox', now, limit)).work
    const stateOf = async (id: string) => (await store.states()).find(state => state.id === id)!

    describe('accepted mail', () => {
      it('is stored once when it is accepted twice, with the work of the first time', async () => {
        await store.accept(newMail('one'))
        await store.accept(newMail('one', { raw: Buffer.from('Subject: Other\r\n\r\n') }))
        expect(await store.states()).toHaveLength(1)
        expect(await store.raw('one')).toEqual(Buffer.from('Subject: Hello\r\n\r\nHi!\r\n'))
        const work = await dueDeliveries(2000)
        expect(work.map(({ recipients }) => recipients.length)).toEqual([1])
        await store.concludeDelivery(
          work[0]!,
          1,
          {
            dispositions: [{ recipient: work[0]!.recipients[0]!.id, state: 'delivered', why: '' }],
            report: undefined,
          },
          3000,
          2000,
        )
        await store.accept(newMail('one'))
        expect(await dueDeliveries(4000)).toEqual([])
      })

      it('is stored with its text, its recipients and its work', async () => {
        const recipients = [recipient('zoe', undecided), recipient('bob', undecided)]
        await store.accept(undecidedMail('one', { recipients }))
        expect(await store.raw('one')).toEqual(Buffer.from('Subject: Hello\r\n\r\nHi!\r\n'))
        expect(await store.states()).toEqual([
          {
            id: 'one',
            receivedAt: 1000,
            from: 'ann@far.example',
            subject: 'Hello',
            size: 23,
            report: false,
            held: false,
            recipients: ['zoe', 'bob'].map(name => ({
              address: `${name}@office.example`,
              direction: 'INBOUND',
              state: 'undecided',
              why: 'sort has not decided yet',
              attempts: 0,
              nextAt: 1000,
            })),
          },
        ])
        expect(await store.awaitedFunctions()).toEqual(['sort'])
        const [invocation] = await dueInvocations(1000)
        expect(invocation).toMatchObject({
          id: 'invocation of one',
          mail: 'one',
          rule,
          attempts: 0,
          firstFailedAt: undefined,
          why: '',
          next: 'attempt',
          of: { id: 'one', author: 'ann@far.example', spam: false },
          recipients: [{ address: 'zoe@office.example' }, { address: 'bob@office.example' }],
        })
      })

      it('is listed newest first; of two mails of one time, the later accepted one first', async () => {
        for (const [id, receivedAt] of [
          ['b', 2],
          ['a', 1],
          ['c', 2],
        ] as const)
          await store.accept(newMail(id, { receivedAt }))
        expect((await store.states()).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
      })

      it('is refused as a whole when one part of it cannot be stored', async () => {
        await store.accept(undecidedMail('one'))
        const clash = undecidedMail('two', { invocations: [{ id: 'invocation of one', rule }] })
        await expect(store.accept(clash)).rejects.toThrow()
        expect((await store.states()).map(({ id }) => id)).toEqual(['one'])
        expect(await store.raw('two')).toBeUndefined()
      })

      it('keeps any text and any bytes as they are', async () => {
        const raw = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 256))
        const subject = 'Grüße 🙂 "\'\\%_'
        await store.accept(newMail('ünï"\'', { raw, subject }))
        expect(await store.raw('ünï"\'')).toEqual(raw)
        expect((await stateOf('ünï"\'')).subject).toBe(subject)
      })

      it('gets increasing sequence numbers', async () => {
        for (const id of ['one', 'two']) await store.accept(newMail(id))
        const [one, two] = await dueDeliveries(1000)
        expect(two!.of.sequence).toBeGreaterThan(one!.of.sequence)
      })
    })

    describe('claimed work', () => {
      it('is given to one worker only, the earliest first, up to the limit', async () => {
        for (const [id, receivedAt] of [
          ['two', 1002],
          ['one', 1001],
          ['three', 1003],
        ] as const)
          await store.accept(undecidedMail(id, { receivedAt }))
        expect((await dueInvocations(1003, 2)).map(({ mail }) => mail)).toEqual(['one', 'two'])
        expect((await dueInvocations(1003)).map(({ mail }) => mail)).toEqual(['three'])
        expect(await dueInvocations(1003)).toEqual([])
      })

      it('comes with the time at which more is due', async () => {
        await store.accept(undecidedMail('one', { receivedAt: 1000 }))
        await store.accept(undecidedMail('two', { receivedAt: 5000 }))
        expect(await store.claimInvocations('sort', 999, 10)).toEqual({ work: [], nextAt: 1000 })
        expect(await store.claimInvocations('sort', 1000, 10)).toMatchObject({
          work: [{ mail: 'one' }],
          nextAt: 5000,
        })
        expect((await store.claimInvocations('other', 1000, 10)).nextAt).toBeUndefined()
      })

      it('is due again at the time that its return names', async () => {
        await store.accept(undecidedMail('one'))
        await store.accept(newMail('two'))
        const [invocation] = await dueInvocations(1000)
        const [delivery] = await dueDeliveries(1000)
        await store.returnClaim(invocation!, 3000)
        await store.returnClaim(delivery!, 4000)
        expect(await store.claimInvocations('sort', 2999, 10)).toEqual({ work: [], nextAt: 3000 })
        expect(await store.claimDeliveries('mailbox', 3999, 10)).toEqual({ work: [], nextAt: 4000 })
        expect(await dueInvocations(3000)).toMatchObject([{ mail: 'one', attempts: 0 }])
        expect(await dueDeliveries(4000)).toMatchObject([{ mail: 'two', attempts: 0 }])
      })
    })

    describe('an invocation', () => {
      it('that failed is due again at the time of its postponement', async () => {
        await store.accept(undecidedMail('one'))
        const [invocation] = await dueInvocations(1000)
        const how = {
          attempts: 1,
          firstFailedAt: 1500,
          why: 'broken',
          next: 'fallback',
          nextAt: 9000,
        } as const
        await store.postponeInvocation(invocation!, how, 1500)
        expect(await store.claimInvocations('sort', 8999, 10)).toEqual({ work: [], nextAt: 9000 })
        expect((await stateOf('one')).recipients).toMatchObject([
          { state: 'undecided', why: 'broken', attempts: 1, nextAt: 9000 },
        ])
        const { nextAt: _, ...stored } = how
        expect(await dueInvocations(9000)).toMatchObject([stored])
      })

      it('that has ended sets the dispositions, makes deliveries due and stores the report', async () => {
        const recipients = ['bob', 'eve', 'kim'].map(name => recipient(name, undecided))
        await store.accept(undecidedMail('one', { recipients }))
        const [invocation] = await dueInvocations(1000)
        const [bob, eve, kim] = invocation!.recipients
        const report = newMail('report', { receivedAt: 2000, from: '', report: true })
        const dispositions = [
          { recipient: bob!.id, ...delivering, destination: 'junk' },
          { recipient: eve!.id, ...delivering, destination: 'relay' },
          { recipient: kim!.id, state: 'bounced', why: 'not wanted' },
        ] as const
        await store.concludeInvocation(invocation!, 1, { dispositions, report }, 2000)
        expect((await stateOf('one')).recipients).toMatchObject([
          { state: 'delivering', nextAt: 2000 },
          { state: 'delivering', nextAt: 2000 },
          { state: 'bounced', why: 'not wanted', nextAt: undefined },
        ])
        expect(await stateOf('report')).toMatchObject({ report: true, from: '' })
        expect(await store.awaitedFunctions()).toEqual([])
        expect(await dueInvocations(9000)).toEqual([])
        expect(await dueDeliveries(2000)).toMatchObject([
          { mail: 'one', recipients: [{ address: 'bob@office.example', destination: 'junk' }] },
          { mail: 'report' },
        ])
        const { work } = await store.claimDeliveries('relay', 2000, 10)
        expect(work).toMatchObject([{ mail: 'one', recipients: [{ address: 'eve@office.example' }] }])
      })
    })

    describe('a delivery', () => {
      it('that was attempted is due again for recipients that did not get the mail', async () => {
        await store.accept(newMail('one', { recipients: [recipient('bob'), recipient('eve')] }))
        const [delivery] = await dueDeliveries(1000)
        expect(delivery).toMatchObject({ since: 1000, attempts: 0, repeated: false })
        const [bob, eve] = delivery!.recipients
        const dispositions = [
          { recipient: bob!.id, state: 'delivered', why: 'in the inbox' },
          { recipient: eve!.id, ...delivering, why: 'no space' },
        ] as const
        await store.concludeDelivery(delivery!, 1, { dispositions, report: undefined }, 7000, 1100)
        expect((await stateOf('one')).recipients).toMatchObject([
          { state: 'delivered', attempts: 1, nextAt: undefined },
          { state: 'delivering', why: 'no space', attempts: 1, nextAt: 7000 },
        ])
        expect(await store.claimDeliveries('mailbox', 6999, 10)).toEqual({ work: [], nextAt: 7000 })
        const [again] = await dueDeliveries(7000)
        expect(again).toMatchObject({ attempts: 1, repeated: true, recipients: [{ id: eve!.id }] })
        const done = { recipient: eve!.id, state: 'delivered', why: 'in the inbox' } as const
        await store.concludeDelivery(again!, 2, { dispositions: [done], report: undefined }, 8000, 7000)
        expect(await store.claimDeliveries('mailbox', 9000, 10)).toEqual({ work: [], nextAt: undefined })
      })

      it('is due at once for recipients that were decided on during an attempt', async () => {
        await store.accept(
          undecidedMail('one', { recipients: [recipient('ann', undecided), recipient('bob')] }),
        )
        const [delivery] = await dueDeliveries(1000)
        const [invocation] = await dueInvocations(1000)
        const ann = invocation!.recipients.find(({ state }) => state === 'undecided')!
        const [bob] = delivery!.recipients
        await store.concludeInvocation(
          invocation!,
          1,
          { dispositions: [{ recipient: ann.id, ...delivering }], report: undefined },
          1005,
        )
        const later = { dispositions: [{ recipient: bob!.id, ...delivering }], report: undefined }
        await store.concludeDelivery(delivery!, 1, later, 9000, 1006)
        const [next] = await dueDeliveries(1006)
        expect(next!.recipients).toHaveLength(2)
        const both = next!.recipients.map(({ id }) => ({ recipient: id, ...delivering }))
        await store.concludeDelivery(next!, 2, { dispositions: both, report: undefined }, 9000, 1007)
        expect(await store.claimDeliveries('mailbox', 8999, 10)).toEqual({ work: [], nextAt: 9000 })
      })

      it('that was claimed and returned counts as repeated', async () => {
        await store.accept(newMail('one'))
        const [delivery] = await dueDeliveries(1000)
        await store.returnClaim(delivery!, 1000)
        expect(await dueDeliveries(1000)).toMatchObject([{ repeated: true, attempts: 0 }])
      })
    })

    describe('queued mails', () => {
      it('are due at once after a flush that names them, or that names no mail while they are not held', async () => {
        for (const id of ['one', 'two', 'three']) await store.accept(newMail(id))
        for (const delivery of await dueDeliveries(1000)) {
          const [bob] = delivery.recipients
          const later = { dispositions: [{ recipient: bob!.id, ...delivering }], report: undefined }
          await store.concludeDelivery(delivery, 1, later, 60_000, 1000)
        }
        expect(await store.flush(['tw'], 2000)).toEqual(['two'])
        expect((await dueDeliveries(2000)).map(({ mail }) => mail)).toEqual(['two'])
        await store.hold(['one'])
        expect([...(await store.flush([], 3000))].sort()).toEqual(['three', 'two'])
        expect((await dueDeliveries(3000)).map(({ mail }) => mail)).toEqual(['three'])
      })

      it('that are held have nothing due until they are released', async () => {
        await store.accept(newMail('one'))
        await store.accept(undecidedMail('two'))
        expect(await store.hold(['one', 'two', 'one'])).toEqual(['one', 'two'])
        expect(await store.claimDeliveries('mailbox', 1000, 10)).toEqual({ work: [], nextAt: undefined })
        expect(await store.claimInvocations('sort', 1000, 10)).toEqual({ work: [], nextAt: undefined })
        expect(await stateOf('one')).toMatchObject({ held: true, recipients: [{ nextAt: undefined }] })
        expect(await store.release(['one', 'two'])).toEqual(['one', 'two'])
        expect(await dueDeliveries(1000)).toHaveLength(1)
        expect(await dueInvocations(1000)).toHaveLength(1)
      })

      it('that are removed leave nothing behind, and ignore the result of running work', async () => {
        await store.accept(
          undecidedMail('one', { recipients: [recipient('ann', undecided), recipient('bob')] }),
        )
        const [invocation] = await dueInvocations(1000)
        const [delivery] = await dueDeliveries(1000)
        expect(await store.remove(['one'])).toEqual(['one'])
        const outcome = { dispositions: [], report: newMail('report') }
        await store.concludeInvocation(invocation!, 1, outcome, 2000)
        await store.concludeDelivery(delivery!, 1, outcome, 3000, 2000)
        expect(await store.states()).toEqual([])
        expect(await store.raw('one')).toBeUndefined()
        expect(await store.awaitedFunctions()).toEqual([])
      })

      it.each([
        ['an unknown id', ['one', 'x'], 'MAIL_NOT_FOUND'],
        ['an empty id', ['one', ''], 'MAIL_NOT_FOUND'],
        ['a wildcard', ['one', '%'], 'MAIL_NOT_FOUND'],
        ['the beginning of two ids', ['one', 't'], 'AMBIGUOUS_MAIL'],
        ['a mail that waits for nothing', ['one', 'over'], 'MAIL_NOT_QUEUED'],
      ] as const)('are not changed by an operation that also names %s', async (_, names, code) => {
        for (const id of ['one', 'two', 'three']) await store.accept(newMail(id))
        await store.accept(newMail('over', { recipients: [recipient('bob', { state: 'dropped', why: '' })] }))
        await expect(store.hold(names)).rejects.toMatchObject({ code })
        await expect(store.remove(names)).rejects.toMatchObject({ code })
        expect((await store.states()).filter(({ held }) => held)).toEqual([])
        expect(await store.states()).toHaveLength(4)
      })

      it('cannot be flushed while they are held or undecided, nor released when they are not held', async () => {
        await store.accept(newMail('one'))
        await store.accept(undecidedMail('two'))
        await store.hold(['one'])
        await expect(store.flush(['one'], 2000)).rejects.toMatchObject({ code: 'MAIL_HELD' })
        await expect(store.flush(['two'], 2000)).rejects.toMatchObject({ code: 'NO_DELIVERY' })
        await expect(store.release(['two'])).rejects.toMatchObject({ code: 'MAIL_NOT_HELD' })
      })
    })

    it('forgets old mails that wait for nothing, and no others', async () => {
      const over = { recipients: [recipient('bob', { state: 'dropped', why: '' })] } as const
      await store.accept(newMail('old', { receivedAt: 1000, ...over }))
      await store.accept(newMail('old and queued', { receivedAt: 1000 }))
      await store.accept(newMail('new', { receivedAt: 2000, ...over }))
      while (await store.forget(1000)) {}
      expect((await store.states()).map(({ id }) => id).sort()).toEqual(['new', 'old and queued'])
    })

    it('reports how far a clock is behind the latest change, while work is pending', async () => {
      await store.accept(undecidedMail('one', { receivedAt: 100_000 }))
      const again = await opened.openAgain()
      expect(await again.clockLag(40_000)).toBe(60_000)
      expect(await again.clockLag(100_000)).toBe(0)
      await again.remove(['one'])
      expect(await again.clockLag(40_000)).toBe(0)
      await again.close()
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
      expect(await dueDeliveries(1000)).toHaveLength(1)
    })
  })
}
