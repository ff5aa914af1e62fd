import { type ManualClock, manualClock } from '@signalbox/core/testing'
import type { MailAction } from '@signalbox/mail-flow/contract'
import { bounds } from '../api/connections/bounds.ts'
import { intakes } from '../api/data/intake.ts'
import type { EarlyDecision, OfferedMail, RecipientDecision } from '../api/decision.ts'
import type { MailSettings, MilterSettings } from '../config/mail-settings.ts'
import { type MilterBounds, milterBounds } from '../milter/milter-bounds.ts'
import { milterListener } from '../milter/milter-listener.ts'
import { officeSettings } from './mail-listener.ts'

/** What a function decides on one recipient: an action, or a failure that is retried, or nothing. */
export type TestDecision = MailAction | 'later' | 'open'

export interface TestMilterOptions {
  readonly settings?: Partial<Omit<MailSettings, 'milter'>>
  readonly milter?: Partial<MilterSettings>
  readonly bounds?: Partial<MilterBounds>
  /** The limit of memory for all mails, in bytes. */
  readonly memory?: number
  /** The recipients that functions add to each mail. */
  readonly added?: readonly string[]
  readonly clock?: ManualClock
}

const onFreePort: MilterSettings = {
  ...{ port: 0, host: '127.0.0.1', socket: undefined, open: false },
  ...{ junkSubaddress: undefined, outboundClients: [] },
}

/** Starts a milter whose functions decide on each recipient as `decide` says. */
export async function testMilter(
  decide: (address: string, mail: OfferedMail) => TestDecision | Promise<TestDecision> = () => 'open',
  {
    settings = {},
    milter = {},
    bounds: own = {},
    memory = bounds.memory,
    added = [],
    clock = manualClock(1_700_000_000_000),
  }: TestMilterOptions = {},
) {
  const mails: OfferedMail[] = []
  const passed: string[] = []
  const notices: string[] = []
  const whole = { ...officeSettings, ...settings }
  const listener = milterListener(
    {
      ...whole,
      milter: { ...onFreePort, ...(milter.socket !== undefined && { port: undefined }), ...milter },
    },
    {
      clock,
      newId: () => `mail-${mails.length + 1}`,
      notice: text => notices.push(text),
      newIntake: intakes(whole.maxSize, { ...bounds, memory }),
      work: {
        async decide(mail) {
          mails.push(mail)
          const recipients = await Promise.all(
            mail.recipients.map(async address => decisionOf(address, await decide(address, mail))),
          )
          return { recipients, added: added.map(addition) }
        },
        async passed({ id }) {
          passed.push(id)
        },
      },
    },
    { ...milterBounds, ...own },
  )
  const url = await listener.start()
  return {
    ...{ url, mails, passed, notices, clock, stop: listener.stop },
    async [Symbol.asyncDispose]() {
      await listener.stop(0)
    },
  }
}

function decisionOf(address: string, decision: TestDecision): RecipientDecision {
  if (decision === 'open') return { address, kind: 'open' }
  if (decision === 'later') return { address, kind: 'later', why: 'the function failed' }
  const of = { why: 'the function said so', failed: false, key: address, storedAs: undefined }
  return { address, kind: 'decided', action: decision, ...of }
}

function addition(address: string): EarlyDecision['added'][number] {
  const action = { type: 'DEFAULT' } as const
  const of = { why: 'the function added it', key: address, storedAs: undefined }
  return { address, action, refusal: undefined, direction: 'INBOUND', ...of }
}
