import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { mailStates } from '@signalbox/platform-mail/testing/parts'
import { generator } from '@signalbox/platform-runtime/testing/generator'
import { createTransport, type NodemailerError } from 'nodemailer'
import { type PlatformProcess, startPlatform } from '../platform-process.ts'
import { readMailboxes } from './mailboxes.ts'
import { planOf } from './plan.ts'
import { type Findings, verify } from './verify.ts'

export interface MailSoakOptions {
  /** The number of mails to send. */
  readonly mails: number
  /** The number of times that the platform is killed. */
  readonly kills: number
  /** The seed of the random number generator. */
  readonly seed: number
  readonly say?: (text: string) => void
}

/** The input and the results of a soak. */
export interface MailSoakFigures extends Findings {
  readonly acknowledged: number
  /** The number of mails that got no reply because the platform was killed. */
  readonly unacknowledged: number
}

const program = new URL('./mail-platform.ts', import.meta.url)

/** The number of concurrent clients. */
const clients = 4

/** Milliseconds after the last kill within which every mail must reach its final state. */
const waitLimit = 60_000

/**
 * Sends mails to a platform that is killed at random moments and restarted, until every mail has reached its final
 * state. Checks that each mail ended as decided, exactly once.
 */
export async function mailSoak({
  mails,
  kills,
  seed,
  say = () => {},
}: MailSoakOptions): Promise<MailSoakFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-soak-'))
  const random = generator(seed)
  // The platform is killed each time the number of acknowledged mails reaches one of these numbers.
  const moments = Array.from({ length: Math.ceil(kills * 0.6) }, () => Math.floor(random() * mails)).sort(
    (a, b) => a - b,
  )
  const epoch = Date.now()
  const start = () => startPlatform(program, folder, [String(epoch)])
  const acknowledged = new Map<number, string>()
  const violations: string[] = []
  let platform: Promise<PlatformProcess> = start()
  let next = 0
  let running = 0
  let unacknowledged = 0

  const send = async (number: number): Promise<void> => {
    const { hostname, port } = new URL((await platform).url)
    const { from, subject, endings } = planOf(number)
    const smtp = createTransport({ host: hostname, port: Number(port), ignoreTLS: true })
    try {
      const raw = `From: <${from || 'nobody@partner.example'}>\r\nSubject: ${subject}\r\n\r\nMail ${number}.\r\n`
      const { response, rejected } = await smtp.sendMail({ envelope: { from, to: [...endings.keys()] }, raw })
      if (rejected.length > 0) violations.push(`mail ${number} was refused for ${rejected.join()}`)
      acknowledged.set(number, /Stored as (\S+)/.exec(response)?.[1] ?? response)
    } catch (error) {
      const { originalCode, responseCode, message } = error as NodemailerError
      if (responseCode !== undefined) violations.push(`mail ${number} was refused: ${message}`)
      // The server never got this mail, so it can be sent again.
      else if (originalCode === 'ECONNREFUSED') {
        await delay(5)
        return send(number)
      } else unacknowledged++
    } finally {
      smtp.close()
    }
  }

  const sendAll = async () => {
    while (acknowledged.size + running < mails) {
      running++
      await send(next++)
      running--
    }
  }

  const kill = async (number: number) => {
    await delay(random() * 30)
    await (await platform).kill()
    platform = start()
    say(`killed ${number} of ${kills} times, ${acknowledged.size} mails acknowledged`)
  }

  const read = <T>(of: (database: DatabaseSync) => T): T | undefined => {
    const path = join(folder, 'data', 'mail.sqlite')
    if (!existsSync(path)) return undefined
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    try {
      return of(database)
    } finally {
      database.close()
    }
  }
  const states = () => read(mailStates) ?? []

  // An asynchronous function may be called after its mail has been delivered.
  const settled = () =>
    read(database => database.prepare('select 1 from work').get() === undefined) &&
    states().every(({ recipients }) =>
      recipients.every(({ state }) => state !== 'undecided' && state !== 'delivering'),
    )

  try {
    let sent = false
    const sending = Promise.all(Array.from({ length: clients }, sendAll)).finally(() => {
      sent = true
    })
    for (const [at, moment] of moments.entries()) {
      while (acknowledged.size < moment && !sent) await delay(2)
      await kill(at + 1)
    }
    await sending
    for (let number = moments.length + 1; number < kills; number++) {
      await platform
      await delay(random() * 500)
      await kill(number)
    }
    await platform
    for (const end = Date.now() + waitLimit; !settled() && Date.now() < end; ) await delay(50)
    // One more kill shows that a completed mail is not delivered again.
    await kill(kills)
    await platform
    await delay(250)
    await (await platform).kill()

    const remains = {
      mailboxes: readMailboxes(join(folder, 'data', 'mailboxes')),
      states: states(),
      invocations: readFileSync(join(folder, 'invocations.txt'), 'utf8'),
    }
    const findings = verify(
      remains,
      acknowledged,
      Array.from({ length: next }, (_, number) => number),
    )
    return {
      ...findings,
      violations: [...violations, ...findings.violations],
      acknowledged: acknowledged.size,
      unacknowledged,
    }
  } finally {
    await (await platform).kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
