import { beforeEach, describe, expect, it } from '@jest/globals'
import type { MailStore } from '../../store/mail-store.ts'
import { newMail } from './new-mail.ts'

const attempt = { key: 'key', content: 'content' }
const decided = { ...attempt, decision: 'first' }

/**
 * The tests of decisions before the reply in a mail store.
 * @param current returns the open store of the running test
 */
export function earlyDecisionSuite(current: () => MailStore): void {
  let store: MailStore
  beforeEach(() => {
    store = current()
  })
  const known = (now = 5000) => store.earlyDecisions(['key', 'another'], now)

  describe('early decisions', () => {
    it('are unknown until an attempt, and then count the failures since the first one', async () => {
      expect(await known()).toEqual([])
      expect(await store.rememberEarly(attempt, 1000)).toEqual({
        ...{
          ...attempt,
          failures: 1,
          failingFor: 0,
          decision: undefined,
          storedAs: undefined,
          raw: undefined,
        },
      })
      expect(await store.rememberEarly({ ...attempt, content: 'other' }, 1600)).toMatchObject({
        failures: 2,
        failingFor: 600,
      })
      expect(await known(2000)).toMatchObject([{ key: 'key', failures: 2, failingFor: 1000 }])
      expect(await known(500)).toMatchObject([{ failingFor: 0 }])
    })

    it('stay as they were first made, for the same content', async () => {
      await store.rememberEarly(attempt, 1000)
      expect(await store.rememberEarly(decided, 2000)).toMatchObject({
        decision: 'first',
        storedAs: undefined,
      })
      expect(await store.rememberEarly({ ...decided, decision: 'second' }, 3000)).toMatchObject(decided)
      expect(await store.rememberEarly(attempt, 3000)).toMatchObject(decided)
      expect(await known()).toMatchObject([decided])
    })

    it('are replaced for other content, with new failures', async () => {
      await store.rememberEarly(attempt, 1000)
      await store.rememberEarly(decided, 2000)
      await store.accept(newMail('one'), { decisions: [attempt], report: undefined })
      const other = { ...attempt, content: 'other' }
      expect(await store.rememberEarly(other, 3000)).toEqual({
        ...{ ...other, failures: 1, failingFor: 0, decision: undefined, storedAs: undefined, raw: undefined },
      })
      expect(await store.rememberEarly({ ...other, decision: '' }, 4000)).toMatchObject({ decision: '' })
    })

    it('store a mail and its report once', async () => {
      for (const key of ['key', 'another']) await store.rememberEarly({ ...decided, key }, 1000)
      const report = newMail('report', { report: true })
      await store.accept(newMail('one'), { decisions: [attempt], report })
      expect(await store.earlyDecisions(['key'], 1000)).toMatchObject([{ storedAs: 'one' }])
      const again = store.accept(newMail('two'), {
        decisions: [{ ...attempt, key: 'another' }, attempt],
        report: newMail('report 2'),
      })
      await expect(again).rejects.toMatchObject({ code: 'ALREADY_ACCEPTED' })
      expect((await store.states()).map(({ id }) => id).sort()).toEqual(['one', 'report'])
      expect(await store.earlyDecisions(['another'], 1000)).toMatchObject([{ storedAs: undefined }])
      // The answer to the first call was lost.
      await store.accept(newMail('one'), { decisions: [attempt], report })
      expect(await store.states()).toHaveLength(2)
    })

    it('on one content are not used up by a mail with another', async () => {
      await store.rememberEarly(decided, 1000)
      await store.rememberEarly({ ...decided, content: 'other' }, 2000)
      const accept = store.accept(newMail('one'), { decisions: [attempt], report: undefined })
      await expect(accept).rejects.toMatchObject({ code: 'DECISION_REPLACED' })
      expect(await store.states()).toEqual([])
      expect(await known()).toMatchObject([{ content: 'other', storedAs: undefined }])
      await store.accept(newMail('two'), { decisions: [{ ...attempt, content: 'other' }], report: undefined })
      expect(await known()).toMatchObject([{ storedAs: 'two' }])
    })

    it('keep the changed content of a mail until the mail is stored', async () => {
      const raw = Buffer.from('Subject: changed\r\n\r\n')
      await store.rememberEarly({ ...decided, raw }, 1000)
      const [found] = await known()
      expect(found!.raw!.equals(raw)).toBe(true)
      const others = [newMail('two', { raw }), newMail('three')]
      await store.accept(newMail('one'), { decisions: [attempt], report: undefined, others })
      expect(await known()).toMatchObject([{ storedAs: 'one', raw: undefined }])
      expect((await store.states()).map(({ id }) => id).sort()).toEqual(['one', 'three', 'two'])
      expect((await store.raw('two'))!.equals(raw)).toBe(true)
      // A decision on other content has no changed content any more.
      expect((await store.rememberEarly({ ...decided, content: 'other' }, 1000)).raw).toBeUndefined()
    })

    it('keep the changed content of a mail that another server keeps', async () => {
      const raw = Buffer.from('Subject: changed\r\n\r\n')
      await store.rememberEarly({ ...decided, raw }, 1000)
      const of = { decisions: [attempt], report: undefined, keepsContents: true }
      await store.accept(newMail('one'), of)
      const [found] = await known()
      expect(found).toMatchObject({ storedAs: 'one' })
      expect(found!.raw!.equals(raw)).toBe(true)
    })

    it('are forgotten by the time of their latest attempt', async () => {
      await store.rememberEarly(attempt, 1000)
      await store.rememberEarly({ ...attempt, key: 'another' }, 1000)
      await store.rememberEarly(attempt, 2000)
      while (await store.forgetEarly(1999)) {}
      expect(await known()).toMatchObject([{ key: 'key' }])
      while (await store.forgetEarly(2000)) {}
      expect(await known()).toEqual([])
    })
  })
}
