import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import { randomUuid, systemRandom } from '@signalbox/platform-runtime'
import type { Dispatch } from '@signalbox/platform-runtime/platform/testing/parts'
import { takeMail } from '../api/data/take-mail.ts'
import type { IncomingMail } from '../api/incoming-mail.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import { type MailFlow, mailFlow } from '../flow/mail-flow.ts'
import type { Mailboxes } from '../mailboxes/mailboxes.ts'
import { maildirs } from '../mailboxes/maildirs.ts'
import type { Relay, RelayResult } from '../relay/relay.ts'
import type { MailState, MailStore } from '../store/mail-store.ts'
import { localMailStore } from '../store/sqlite/local-mail-store.ts'

/** The parts of the test that are outside of the platform's process. */
export interface Outside {
  readonly settings: MailSettings
  readonly answer: (event: unknown, now: number) => unknown
  readonly relayed: (from: string, raw: string, recipients: readonly string[], now: number) => RelayResult[]
}

/** Runs the flow of mail in a process that ends at chosen steps and starts again on the same files. */
export function mailWorld(folder: string, { settings, answer, relayed }: Outside) {
  const mailboxes = maildirs(join(folder, 'mailboxes'))
  let clock: ManualClock
  let database: DatabaseSync
  let store: MailStore
  let flow: MailFlow
  let alive = false
  let left = Number.POSITIVE_INFINITY
  let running = 0
  let deaths = 0

  const die = () => {
    alive = false
    deaths++
    left = Number.POSITIVE_INFINITY
    database.close()
  }

  /** Marks a step before or after an effect. The process can end at each step. */
  const step = () => {
    if (--left < 0) die()
  }

  /**
   * Runs an effect outside of the database. If the process ends first, the effect does not happen. If the process
   * ends just after the effect, the result is lost.
   */
  const effect = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const mine = database
    const goOn = () => {
      if (mine.isOpen) step()
      return mine.isOpen
    }
    running++
    try {
      // The process can also end after an effect was started but before it happened.
      if (goOn()) await turn()
      if (mine.isOpen) return await work()
    } finally {
      running--
      if (!goOn()) await new Promise<never>(() => {})
    }
    throw new Error('unreachable')
  }

  const dispatch: Dispatch = order =>
    effect(async () => {
      const payload = JSON.stringify(answer(order.event, clock.now())) ?? ''
      await turn()
      const verdict = order.verdict(payload, undefined)
      return { requestId: order.requestId!, payload, failure: undefined, verdict, logs: [], duration: 0 }
    })

  const carefulMailboxes: Mailboxes = {
    ...mailboxes,
    deliver: (...delivery) => effect(() => mailboxes.deliver(...delivery)),
  }
  const relay: Relay = {
    send: ({ from, raw }, recipients) =>
      effect(async () => relayed(from, String(await raw()), recipients, clock.now())),
    close: () => {},
  }

  const start = (now: number) => {
    clock = manualClock(now)
    database = new WatchedDatabase(join(folder, 'mail.sqlite'), step)
    alive = true
    // Timers of an ended process never fire, because its clock has stopped.
    const context = { dispatch, clock, machineClock: clock, random: systemRandom, notice: () => {} }
    store = localMailStore(database)
    flow = mailFlow(
      store,
      settings,
      { mailboxes: carefulMailboxes, servers: { of: () => relay, sign: undefined, close: () => {} } },
      context,
    )
    void flow.start()
  }
  start(1_700_000_000_000)

  const world = {
    now: () => clock.now(),
    deaths: () => deaths,
    states: (): Promise<readonly MailState[]> => store.states(),
    list: mailboxes.list,
    read: mailboxes.read,

    /** Makes the process end after a number of further steps, or never. */
    dieAfter(steps: number | undefined) {
      left = steps ?? Number.POSITIVE_INFINITY
    },

    /** Accepts a mail. Resolves with its id, or with undefined when the process ended before the mail was stored. */
    async accept(mail: Omit<IncomingMail, 'id' | 'utf8'>): Promise<string | undefined> {
      const id = randomUuid(systemRandom)
      const stored = await flow.accept({ id, utf8: false, ...mail }).then(
        () => true,
        () => false,
      )
      await world.finish()
      return stored ? id : undefined
    },

    /**
     * Offers a mail over SMTP, as a client that hears one reply. Resolves with the reply, or with undefined when the process
     * ended before it.
     */
    async offer(mail: Omit<IncomingMail, 'id' | 'utf8'>): Promise<string | undefined> {
      const listener = {
        ...{ settings, decide: flow.decide, accept: flow.accept, clock },
        ...{ newId: () => randomUuid(systemRandom), notice: () => {} },
      }
      const mine = database
      const replies = takeMail(
        {
          ...{ from: mail.from, recipients: mail.recipients, accepted: mail.recipients, utf8: false },
          ...{
            protocol: 'smtp',
            take: top => Buffer.concat([top, mail.raw]),
            remoteAddress: '192.0.2.1',
            client: {},
          },
          ...{ hostname: 'x', isExtended: true, isSecure: false, isTrusted: false, isAuthenticated: false },
        },
        listener,
      )
      let reply: string | undefined
      void replies.then(([first]) => {
        if (mine.isOpen) reply = `${first!.code} ${first!.text}`
      })
      while (mine.isOpen && reply === undefined) await turn()
      await world.finish()
      return reply
    },

    async pass(ms: number) {
      await clock.advance(ms)
      await world.finish()
    },

    /** Waits until all due work has ended. Starts the process again if it ended in the meantime. */
    async finish() {
      for (;;) {
        await turn()
        if (running > 0) continue
        if (!alive) start(clock.now())
        else if (!isDue(await world.states(), clock.now())) return
      }
    },

    [Symbol.dispose]() {
      if (alive) database.close()
    },
  }
  return world
}

/** Opens a database that calls a function before and after each commit. */
class WatchedDatabase extends DatabaseSync {
  #step: () => void

  constructor(path: string, step: () => void) {
    super(path)
    this.#step = step
  }

  override close(): void {
    super.close()
    // SQLite keeps a database in memory while one of its statements exists, and `step` would keep those statements.
    this.#step = () => {}
  }

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql)
    if (sql !== 'commit') return statement
    const commit = statement.run.bind(statement)
    return Object.assign(statement, {
      run: () => {
        this.#step()
        const changes = commit()
        this.#step()
        return changes
      },
    })
  }
}

function isDue(states: readonly MailState[], now: number): boolean {
  return states.some(({ recipients }) =>
    recipients.some(({ nextAt }) => nextAt !== undefined && nextAt <= now),
  )
}

const turn = () => new Promise<void>(resolve => setImmediate(resolve))
