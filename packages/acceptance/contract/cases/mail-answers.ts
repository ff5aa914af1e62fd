import assert from 'node:assert/strict'
import { signalbox } from '@signalbox/core'
import { mailFlow } from '@signalbox/mail-flow'
import { type FallbackName, type MailEvent, mailVerdict } from '@signalbox/mail-flow/contract'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { type MailAnswer, mailSetup } from '@signalbox/platform-mail/testing/mail-setup'
import type { Sides } from '../contract-case.ts'
import { copyOf } from '../copy-of.ts'

export const [bob, carol] = ['bob@office.example', 'carol@office.example']

/** Returns an action, as an element of `actions`. */
export const decision = (type: string, whom: object = { allRecipients: true }, parameters?: object) => ({
  action: { type, ...(parameters && { parameters }) },
  ...whom,
})

/** Returns a response with these actions. */
export const response = (...actions: readonly object[]) => ({ actions })

let answering: () => unknown
const handler = signalbox(mailFlow(() => answering() as never))

/**
 * Sends an event to a function that uses the plugin and returns `answer`. Returns the function's response.
 * @throws the plugin's error for an answer that it refuses
 */
export async function letOut(event: object, answer: unknown): Promise<unknown> {
  answering = () => (typeof answer === 'function' ? answer(event) : answer)
  return handler(copyOf(event))
}

/** A mail, and the mail rule that applies to it. */
export interface Mailing {
  /** The recipients. Default: Bob. */
  readonly to?: readonly string[]
  readonly outbound?: boolean
  readonly fallback?: FallbackName
  readonly mode?: 'sync' | 'async'
}

/** The final state of a mail for each recipient, as the platform reports it. */
export type RecipientStates = { readonly [address: string]: string }

/** Returns the final states of a mail after a function without the plugin has returned this answer. */
export async function statesAfter(answer: unknown, mailing: Mailing): Promise<RecipientStates> {
  const { to = [bob], outbound = false, fallback = 'BOUNCE', mode = 'sync' } = mailing
  const give = typeof answer === 'function' ? (answer as MailAnswer) : () => answer
  await using setup = await mailSetup(give, {
    [outbound ? 'outbound' : 'inbound']: { fallback, mode },
    relay: 'keep',
  })
  const id = await setup.send({ to })
  await setup.calm()
  return setup.recipientStates(id)
}

/** A mail to another platform. */
export const outbound = { to: ['dora@far.example'], outbound: true }

const isAdded = ({ reason }: { readonly reason: string }) => reason === 'added'

const eventOf = ({ to = [bob], outbound = false }: Mailing): MailEvent =>
  mailEvent({ recipients: to, outbound })

/** Returns two checks: the plugin accepts this answer, and the mail reaches these final states. */
export function concludes(answer: unknown, expected: RecipientStates, mailing: Mailing = {}): Sides {
  const { fallback = 'BOUNCE' } = mailing
  const applied = fallback === 'BOUNCE' ? 'bounced' : fallback === 'DROP' ? 'dropped' : 'delivered'
  const states = { deliver: 'delivered', drop: 'dropped', bounce: 'bounced', fallback: applied }
  return {
    async function() {
      const event = eventOf(mailing)
      const verdict = mailVerdict(JSON.stringify(await letOut(event, answer)), event, { fallback })
      assert.equal(verdict.kind, 'decided')
      const added = verdict.kind === 'decided' ? verdict.unlisted.filter(isAdded) : []
      const dispositions = [...verdict.recipients, ...added].map(({ address, disposition }) => [
        address,
        states[disposition],
      ])
      assert.deepEqual(Object.fromEntries(dispositions), expected)
    },
    platform: async () => assert.deepEqual(await statesAfter(answer, mailing), expected),
  }
}

/**
 * Returns two checks: the plugin refuses this answer, and the platform applies the fallback, which bounces the mail.
 */
export function isRefused(answer: unknown, why: RegExp, mailing: Mailing = {}): Sides {
  const dispositions = Object.fromEntries((mailing.to ?? [bob]).map(address => [address, 'bounced']))
  return {
    function: () => assert.rejects(letOut(eventOf(mailing), answer), why),
    platform: async () => assert.deepEqual(await statesAfter(answer, mailing), dispositions),
  }
}
