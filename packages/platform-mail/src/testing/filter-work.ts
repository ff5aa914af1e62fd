import type { MailAction } from '@signalbox/mail-flow/contract'
import type { EarlyDecision, OfferedMail, RecipientDecision } from '../api/decision.ts'
import type { FilterWork } from '../filter/filter-answers.ts'

/** What a function decides on one recipient: an action, or a failure that is retried, or nothing. */
export type TestDecision = MailAction | 'later' | 'open'

export type TestDecide = (address: string, mail: OfferedMail) => TestDecision | Promise<TestDecision>

/** What functions do besides their decisions. */
export interface TestWork {
  /** The recipients that they add to each mail. */
  readonly added?: readonly string[]
  /** Returns the content that they put in the place of a mail's. Default: none. */
  readonly content?: ((mail: OfferedMail) => Buffer) | undefined
}

/** Returns functions that decide on each recipient as `decide` says, and the mails about which they were asked. */
export function filterWork(decide: TestDecide, { added = [], content }: TestWork = {}) {
  const mails: OfferedMail[] = []
  const passed: string[] = []
  const work: FilterWork = {
    async decide(mail) {
      mails.push(mail)
      const recipients = await Promise.all(
        mail.recipients.map(async address =>
          decisionOf(address, await decide(address, mail), content?.(mail)),
        ),
      )
      return { recipients, added: added.map(addition) }
    },
    async passed({ id }) {
      passed.push(id)
    },
  }
  return { work, mails, passed }
}

function decisionOf(address: string, decision: TestDecision, raw: Buffer | undefined): RecipientDecision {
  if (decision === 'open') return { address, kind: 'open' }
  if (decision === 'later') return { address, kind: 'later', why: 'the function failed' }
  const of = {
    why: 'the function said so',
    failed: false,
    name: { key: address, content: '' },
    storedAs: undefined,
  }
  return { address, kind: 'decided', action: decision, raw, ...of }
}

function addition(address: string): EarlyDecision['added'][number] {
  const action = { type: 'DEFAULT' } as const
  const of = { why: 'the function added it', name: { key: address, content: '' }, storedAs: undefined }
  return { address, action, refusal: undefined, direction: 'INBOUND', ...of }
}
