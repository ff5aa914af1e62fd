import { type ManualClock, manualClock } from '@signalbox/core/testing'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { createTransport } from 'nodemailer'
import type { MailConfig, MailRuleConfig } from '../config/mail-config.ts'
import type { MailState, RecipientReport } from '../store/mail-store.ts'
import { type Config, createPlatform, type Platform } from './mail-program.ts'

/** The function under test. */
export type MailAnswer = (event: MailEvent) => unknown

/** A mail to send. */
export interface TestMail {
  readonly from?: string
  readonly to?: string | readonly string[]
  readonly subject?: string
  /** The raw mail. The default is a mail with the given subject. */
  readonly raw?: string | Buffer
}

export interface MailSetupOptions extends Omit<MailConfig, 'rules'> {
  /** The rule for inbound mail, without the function. */
  readonly inbound?: Omit<MailRuleConfig, 'direction' | 'function'>
  readonly outbound?: Omit<MailRuleConfig, 'direction' | 'function'>
  readonly rules?: MailConfig['rules']
  readonly functions?: Config['functions']
  readonly dataDir?: string
  readonly clock?: ManualClock
}

/** Starts a platform with a manual clock and mailboxes for all addresses of `office.example`. */
export async function mailSetup(
  answer: MailAnswer,
  {
    inbound = {},
    outbound,
    rules = [
      { direction: 'INBOUND', function: 'sort', ...inbound },
      ...(outbound === undefined ? [] : [{ direction: 'OUTBOUND', function: 'sort', ...outbound } as const]),
    ],
    functions = {},
    dataDir = ':memory:',
    clock = manualClock(1_700_000_000_000),
    ...mail
  }: MailSetupOptions = {},
) {
  const events: MailEvent[] = []
  const handler = (event: never) => {
    events.push(event)
    return answer(event)
  }
  const notices: string[] = []
  const platform = createPlatform(
    {
      functions: { sort: { handler, timeout: 20 }, ...functions },
      mail: {
        port: 0,
        domains: { 'office.example': { to: 'mailboxes' } },
        rules,
        ...mail,
      },
      control: { port: 0 },
      dataDir,
      grace: 1,
    },
    { clock, onNotice: text => notices.push(text) },
  )
  const addresses = await platform.start()
  const urlOf = (name: string) => addresses.find(({ source }) => source === name)?.url ?? ''
  const { port } = new URL(urlOf('mail'))
  const smtp = createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true })
  const states = () => platform.mail.states()

  const setup = {
    clock,
    events,
    notices,
    platform,
    port: Number(port),
    /** The URLs of the listeners. Empty for a listener that the configuration does not have. */
    urls: {
      smtp: urlOf('mail'),
      lmtp: urlOf('mail over LMTP'),
      milter: urlOf('milter'),
      hooks: urlOf('hooks for mail servers'),
      control: urlOf('control'),
    },
    states,

    /** Sends a mail over SMTP. Returns its id. */
    async send({
      from = 'ann@far.example',
      to = 'bob@office.example',
      subject = 'Hello',
      raw,
    }: TestMail = {}) {
      const text = raw ?? `From: Ann <ann@far.example>\r\nSubject: ${subject}\r\n\r\nHi!\r\n`
      const envelope = { from, to: [to].flat() as string[] }
      const { response } = await smtp.sendMail({ envelope, raw: text })
      return /Stored as (\S+)/.exec(String(response))![1]!
    },

    /** Waits until all due work has ended. */
    async calm() {
      await until(async () => {
        const all = (await states()).flatMap(({ recipients }) => recipients)
        return all.every(({ nextAt }) => nextAt === undefined || nextAt > clock.now())
      })
    },

    /** Advances the clock by minutes, and waits for the work that becomes due. */
    async pass(minutes: number) {
      for (let left = minutes; left > 0; left -= 1) {
        await clock.advance(Math.min(left, 1) * 60_000)
        await setup.calm()
      }
    },

    /** Returns the reports about the recipients of a mail, by address. */
    async recipientReports(id: string): Promise<{ readonly [address: string]: RecipientReport }> {
      const mail = (await states()).find(each => each.id === id)
      return Object.fromEntries(mail!.recipients.map(each => [each.address, each]))
    },

    /** Returns the states of the recipients of a mail, by address. */
    async recipientStates(id: string): Promise<{ readonly [address: string]: string }> {
      return Object.fromEntries(
        Object.entries(await setup.recipientReports(id)).map(([who, { state }]) => [who, state]),
      )
    },

    reports: async (): Promise<readonly MailState[]> => (await states()).filter(({ report }) => report),

    /** Returns the mails in a mailbox with their texts. */
    async inbox(address: string) {
      const delivered = await platform.mail.inbox(address)
      return Promise.all(
        delivered.map(async each => ({ ...each, text: String(await platform.mail.read(each)) })),
      )
    },

    async [Symbol.asyncDispose]() {
      smtp.close()
      await stopNow(platform, clock)
    },
  }
  return setup
}

/** Stops a platform with a manual clock. */
async function stopNow(platform: Platform, clock: ManualClock): Promise<void> {
  let stopped = false
  const stopping = platform.stop().finally(() => {
    stopped = true
  })
  await until(async () => {
    await clock.advance(1000)
    return stopped
  })
  await stopping
}

/** Waits for a condition that depends on sockets or the disk, which can take long on a busy machine. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const waitEnd = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > waitEnd) throw new Error('waited for too long')
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}
