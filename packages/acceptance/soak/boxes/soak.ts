import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { mailStorage } from '@signalbox/platform-mail/store'
import { postgresEngine } from '@signalbox/platform-postgres'
import { postgresServer } from '@signalbox/platform-postgres/testing/postgres-server'
import { callOperation as callQueue, queueUrl } from '@signalbox/platform-queue/testing/parts'
import { generator } from '@signalbox/platform-runtime/testing/generator'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { createTransport, type NodemailerError } from 'nodemailer'
import { readMail } from '../mail/mailboxes.ts'
import { planOf } from '../mail/plan.ts'
import { verify as verifyMails } from '../mail/verify.ts'
import { type Answer, callOperation as callPool, isConnectionError } from '../users/pool-client.ts'
import { verify as verifyUsers } from '../users/verify.ts'
import { type Calls, type Visit, visit } from '../users/visitor.ts'
import { startBoxes } from './boxes.ts'
import { type Fault, verifyMessages } from './verify-messages.ts'

export interface BoxSoakOptions {
  /** The number of messages for each of the two queues. */
  readonly messages: number
  /** The number of message groups in the FIFO queue. */
  readonly groups: number
  readonly mails: number
  readonly users: number
  /** The number of times that a box is killed. */
  readonly kills: number
  /** The number of database connections that are cut. */
  readonly cuts: number
  /** The number of times that the database server is restarted. */
  readonly restarts: number
  /** The seed of the random number generator. */
  readonly seed: number
  readonly say?: (text: string) => void
}

export interface BoxSoakFigures {
  /** The figures, with one line for each part of the soak. */
  readonly figures: readonly string[]
  readonly acknowledged: { readonly messages: number; readonly mails: number; readonly requests: number }
  readonly violations: readonly string[]
}

const boxCount = 3
const batchSize = 10
/** The number of mail clients, and also the number of user-pool clients, that run at the same time. */
const clients = 4
/** The number of answered requests per user. */
const requestsOfUser = 24
/** Milliseconds after the last fault within which all work must be done. */
const waitLimit = 120_000

/**
 * Returns whether a planned mail needs no retry. Retries would take too long, because the clock of the database
 * cannot run faster.
 */
const atOnce = (number: number) => ![6, 7].includes(number % 10)

/**
 * Sends messages, mails and user requests to three boxes on one PostgreSQL server. Meanwhile, boxes are killed and
 * restarted, the server crashes and returns, and connections to it are cut before and after commits. Checks that no
 * acknowledged change was lost, and that no change took effect more often than the contract allows.
 */
export async function boxSoak(options: BoxSoakOptions): Promise<BoxSoakFigures> {
  const { messages, groups, mails, users, kills, cuts, restarts, seed, say = () => {} } = options
  using folder = temporaryFolder()
  const random = generator(seed)
  const server = await postgresServer()
  const faults: Fault[] = []
  const note = (box?: number) => void faults.push({ time: Date.now(), box })
  const boxes = await startBoxes(boxCount, folder.path, server.url, random, note).catch(async error => {
    await server.end()
    throw error
  })
  const violations: string[] = []
  const report = (violation: string) => void violations.push(violation)
  const messageIds = new Set<string>()
  const mailIds = new Map<number, string>()
  const visits: Visit[] = []
  const requests = { answered: 0, lost: 0 }

  const sendMessages = async (queue: string, entryOf: (at: number) => object, isRepeated: boolean) => {
    for (let first = 0; first < messages; first += batchSize) {
      const Entries = Array.from({ length: Math.min(batchSize, messages - first) }, (_, at) => ({
        Id: `${at}`,
        ...entryOf(first + at),
      }))
      for (let isSent = false; !isSent; ) {
        const { queues } = await boxes.any()
        try {
          const input = { QueueUrl: queueUrl(queues, queue), Entries } as never
          const { Successful = [], Failed = [] } = (await callQueue(
            queues,
            'SendMessageBatch',
            input,
          )) as unknown as { Successful?: { MessageId: string }[]; Failed?: object[] }
          for (const { MessageId } of Successful) messageIds.add(MessageId)
          if (Failed.length > 0) report(`${queue} refused messages: ${JSON.stringify(Failed[0])}`)
          isSent = true
        } catch (error) {
          if (!isAway(error)) throw error
          await delay(5)
          // A repeated send to a standard queue could store a message twice, so the sender gives up after a fault.
          isSent = !isRepeated
        }
      }
    }
  }

  const sendMail = async (number: number): Promise<void> => {
    const { mail } = await boxes.any()
    const { hostname, port } = new URL(mail)
    const { from, subject, endings } = planOf(number)
    const smtp = createTransport({ host: hostname, port: Number(port), ignoreTLS: true })
    try {
      const raw = `From: <${from || 'nobody@partner.example'}>\r\nSubject: ${subject}\r\n\r\nMail ${number}.\r\n`
      const { response, rejected } = await smtp.sendMail({ envelope: { from, to: [...endings.keys()] }, raw })
      if (rejected.length > 0) report(`mail ${number} was refused for ${rejected.join()}`)
      mailIds.set(number, /Stored as (\S+)/.exec(response)?.[1] ?? response)
    } catch (error) {
      const { responseCode = 0, message } = error as NodemailerError
      if (responseCode >= 500) report(`mail ${number} was refused: ${message}`)
      await delay(20)
    } finally {
      smtp.close()
    }
  }
  let nextMail = 0
  let sending = 0
  const sendMails = async () => {
    while (mailIds.size + sending < mails) {
      while (!atOnce(nextMail)) nextMail++
      sending++
      await sendMail(nextMail++)
      sending--
    }
  }

  const once: Calls['once'] = async (operation, input) => {
    const { pools } = await boxes.any()
    let answer: Answer | undefined
    try {
      answer = await callPool(pools, operation, input)
    } catch (error) {
      if (!isConnectionError(error)) throw error
    }
    // The database could not be reached, but the change may have been made.
    if (answer !== undefined && !('error' in answer && answer.error.name === 'InternalErrorException')) {
      requests.answered++
      return answer
    }
    requests.lost++
    await delay(5)
    return undefined
  }
  const insist: Calls['insist'] = async (operation, input) => {
    for (;;) {
      const answer = await once(operation, input)
      if (answer !== undefined) return answer
    }
  }
  let nextUser = 0
  const visitAll = async () => {
    while (nextUser < users) visits.push(await visit(`user${nextUser++}`, { once, insist }, report))
  }

  const all = messages * 2 + mails + users * requestsOfUser
  const progress = () => (messageIds.size + mailIds.size + requests.answered) / all

  const disturbances: readonly { readonly at: number; readonly what: () => Promise<unknown> }[] = [
    ...Array.from({ length: kills }, () => ({
      at: random(),
      what: async () => void boxes.kill(Math.floor(random() * boxCount), random() * 1000),
    })),
    ...Array.from({ length: restarts }, () => ({
      at: random(),
      async what() {
        note()
        await server.kill()
        await delay(random() * 2000)
        await server.start()
        note()
      },
    })),
    ...Array.from({ length: cuts }, (_, number) => ({
      at: random(),
      async what() {
        const box = Math.floor(random() * boxCount)
        void boxes.proxies[box]!.cut(number % 2 === 0 ? 'before' : 'after').then(() => note(box))
      },
    })),
  ].sort((a, b) => a.at - b.at)

  const engine = await postgresEngine(
    { url: server.url, schema: 'signalbox', connections: 2 },
    { clock: undefined },
  )
  const stored = await engine.opener(mailStorage)()
  try {
    let isOver = false
    const work = Promise.all([
      sendMessages('standard', at => ({ MessageBody: `standard:${at}` }), false),
      sendMessages(
        'ordered.fifo',
        at => {
          const body = `ordered:${at % groups}:${Math.floor(at / groups)}`
          return { MessageBody: body, MessageGroupId: `${at % groups}`, MessageDeduplicationId: body }
        },
        true,
      ),
      ...Array.from({ length: clients }, sendMails),
      ...Array.from({ length: clients }, visitAll),
    ]).finally(() => {
      isOver = true
    })
    // This only prevents an unhandled rejection. The code below throws the error after the boxes have been restarted.
    work.catch(() => {})
    for (const [number, { at, what }] of disturbances.entries()) {
      while (progress() < at && !isOver) await delay(5)
      await what()
      if ((number + 1) % 10 === 0)
        say(`${number + 1} faults, ${(progress() * 100).toFixed(0)} % acknowledged`)
    }
    await work
    await until(async () => {
      const { queues } = await boxes.any()
      for (const queue of ['standard', 'ordered.fifo']) {
        const input = { QueueUrl: queueUrl(queues, queue), AttributeNames: ['All'] } as never
        const { Attributes } = await callQueue(queues, 'GetQueueAttributes', input)
        const counts = Object.entries(Attributes as Record<string, string>)
        if (counts.some(([name, value]) => name.startsWith('ApproximateNumberOf') && value !== '0'))
          return false
      }
      return true
    }, 'the queues are not empty').catch(error => report(String(error)))
    const unsettled = async () =>
      (await stored.store.states()).flatMap(({ subject, recipients }) =>
        recipients
          .filter(({ state }) => state === 'undecided' || state === 'delivering')
          .map(({ state, attempts, why }) => `${subject} is ${state} after ${attempts} attempts: ${why}`),
      )
    await until(async () => (await unsettled()).length === 0, 'not all mails have ended').catch(async error =>
      violations.push(String(error), ...(await unsettled())),
    )
    // An asynchronous function may be called after its mail has been delivered.
    await until(
      async () => (await stored.store.awaitedFunctions()).length === 0,
      'some mails still wait for a function',
    ).catch(error => report(String(error)))
    const foundUsers = await verifyUsers(visits, { insist }, report)
    violations.push(...(await boxes.stop()))

    const written = (name: string) => readFileSync(join(folder.path, name), 'utf8')
    const foundMessages = verifyMessages(written('handled.txt'), messageIds, faults)
    const delivered = await stored.mailboxes.list()
    const foundMails = verifyMails(
      {
        mailboxes: await Promise.all(
          delivered.map(async mail =>
            readMail(
              (await stored.mailboxes.read(mail)).toString('latin1').replaceAll('\r\n', '\n'),
              mail.folder,
              mail.address,
            ),
          ),
        ),
        states: await stored.store.states(),
        invocations: written('invocations.txt'),
      },
      mailIds,
      Array.from({ length: nextMail }, (_, number) => number).filter(atOnce),
    )
    return {
      figures: [
        `${messageIds.size} sends acknowledged, ${foundMessages.handled} deliveries handled, ${foundMessages.repeated} of them again after a fault, at most ${foundMessages.most} of one message`,
        `${mailIds.size} mails acknowledged of ${nextMail} sent, ${foundMails.delivered} in mailboxes, ${foundMails.reports} reports, ${foundMails.repeated} calls of functions repeated`,
        `${requests.answered} requests of users acknowledged, ${requests.lost} broken off, ${foundUsers.users} users, ${foundUsers.refused} second uses refused`,
        `${faults.length} faults`,
      ],
      acknowledged: { messages: messageIds.size, mails: mailIds.size, requests: requests.answered },
      violations: [...violations, ...foundMessages.violations, ...foundMails.violations],
    }
  } finally {
    await boxes.killAll()
    await stored.store.close()
    await engine.close()
    await server.end()
  }
}

/** Waits until a condition is true. Boxes and the server may be unreachable in the meantime. */
async function until(holds: () => Promise<boolean>, why: string): Promise<void> {
  for (const end = Date.now() + waitLimit; Date.now() < end; ) {
    if (await holds().catch(() => false)) return
    await delay(200)
  }
  throw new Error(`after ${waitLimit / 1000} s, ${why}`)
}

/** Returns whether a box or its database could not be reached. The request may still have had an effect. */
function isAway(error: unknown): boolean {
  const { code = '' } = error as { readonly code?: string }
  // Clients get the same error name for a full disk and for an unreachable database.
  return ['UNAVAILABLE', 'STORAGE_FULL'].includes(code) || /^(?:ECONN|EPIPE)/.test(code)
}
