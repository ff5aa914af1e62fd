import { beforeEach, describe, expect, it } from '@jest/globals'
import type { MailStore } from '../../store/mail-store.ts'
import { dueDeliveries, dueInvocations, stateOf } from './due-work.ts'
import { newMail, recipient, rule, undecided, undecidedMail } from './new-mail.ts'

/**
 * The tests of accepted mail in a mail store.
 * @param current returns the open store of the running test
 */
export function acceptedMailSuite(current: () => MailStore): void {
  let store: MailStore
  beforeEach(() => {
    store = current()
  })

  describe('accepted mail', () => {
    it('is stored and delivered once, even if it is accepted several times', async () => {
      await store.accept(newMail('one'))
      await store.accept(newMail('one', { raw: Buffer.from('Subject: Other\r\n\r\n') }))
      expect(await store.states()).toHaveLength(1)
      expect(await store.raw('one')).toEqual(Buffer.from('Subject: Hello\r\n\r\nHi!\r\n'))
      const work = await dueDeliveries(store, 2000)
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
      expect(await dueDeliveries(store, 4000)).toEqual([])
    })

    it('is stored with what is known about its client and its sender, or with nothing', async () => {
      const facts = {
        client: { address: '192.0.2.1', helo: 'mx' },
        authentication: { dkim: [{ result: 'pass', domain: 'far.example' }] },
      } as const
      await store.accept(undecidedMail('one', { facts }))
      await store.accept(undecidedMail('two'))
      expect((await dueInvocations(store, 2000)).map(({ of }) => of.facts)).toEqual([facts, undefined])
    })

    it('is stored with its text, its recipients and its pending invocations', async () => {
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
      const [invocation] = await dueInvocations(store, 1000)
      expect(invocation).toMatchObject({
        id: 'invocation of one',
        mail: 'one',
        rule,
        attempts: 0,
        firstFailedAt: undefined,
        why: '',
        next: 'attempt',
        of: { id: 'one', author: 'ann@far.example', spam: false, utf8: false },
        recipients: [{ address: 'zoe@office.example' }, { address: 'bob@office.example' }],
      })
    })

    it('is listed newest first, even if several mails arrived at the same time', async () => {
      for (const [id, receivedAt] of [
        ['b', 2],
        ['a', 1],
        ['c', 2],
      ] as const)
        await store.accept(newMail(id, { receivedAt }))
      expect((await store.states()).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
    })

    it('is not stored at all if any part of it cannot be stored', async () => {
      await store.accept(undecidedMail('one'))
      const clash = undecidedMail('two', { invocations: [{ id: 'invocation of one', rule }] })
      await expect(store.accept(clash)).rejects.toThrow()
      expect((await store.states()).map(({ id }) => id)).toEqual(['one'])
      expect(await store.raw('two')).toBeUndefined()
    })

    it('keeps any text and any bytes unchanged', async () => {
      const raw = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 256))
      const subject = 'Grüße 🙂 "\'\\%_'
      await store.accept(newMail('ünï"\'', { raw, subject }))
      expect(await store.raw('ünï"\'')).toEqual(raw)
      expect((await stateOf(store, 'ünï"\'')).subject).toBe(subject)
    })

    it('gets increasing sequence numbers', async () => {
      for (const id of ['one', 'two']) await store.accept(newMail(id))
      const [one, two] = await dueDeliveries(store, 1000)
      expect(two!.of.sequence).toBeGreaterThan(one!.of.sequence)
    })
  })
}
