import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { smtpDialogue } from '@signalbox/platform-mail/testing/smtp-dialogue'
import type { Tally } from './figures.ts'
import { type HttpAsked, honestHttp } from './honest-http.ts'

/** The addresses of a platform's listeners. */
export interface Listeners {
  readonly shop: string
  readonly wild: string
  readonly queues: string
  readonly mail: string
  readonly control: string
}

/** The data that the platform has acknowledged and must still have at the end. */
interface Promised {
  /** The subjects of mails that the server has accepted. */
  readonly mails: readonly string[]
}

/** Honest clients that are running, for every listener. */
export interface HonestClients extends Promised {
  readonly stop: () => Promise<void>
}

interface Client {
  /** Milliseconds between two requests of this client. */
  readonly every: number
  readonly turn: () => Promise<void>
  readonly end?: () => void
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * The milliseconds that the configuration gives the misbehaving function. A busy machine can spend them on the start of
 * an instance, so an answer that took longer than this may be a failure whatever the function does.
 */
const timeLimit = 1000

/**
 * The actions of the misbehaving function, with the possible statuses of each. The status is 503 if both its
 * instances are busy.
 */
const acts: { readonly [act: string]: readonly number[] } = {
  ...{ answer: [200, 503], throw: [502, 503], nothing: [502, 503], garbage: [502, 503], large: [502, 503] },
  ...{
    hang: [502, 503, 504],
    loop: [502, 503, 504],
    exit: [502, 503],
    kill: [502, 503],
    heap: [502, 503, 504],
  },
  ...{ disconnect: [502, 503, 504], reject: [502, 503, 504], chatter: [502, 503, 504], write: [502, 503] },
  ...{
    send: [502, 503],
    _send: [502, 503],
    emit: [502, 503, 504],
    json: [502, 503],
    arrays: [502, 503, 504],
  },
  ...{ globals: [502, 503], handles: [502, 503, 504], proxy: [502, 503], revoked: [502, 503] },
  ...{ thenable: [502, 503], lines: [502, 503, 504], children: [502, 503] },
}

/**
 * Starts the honest clients: six for the load balancer (60 requests a second), three for the queue listener (30), two
 * for the mail server (two mails a second), two for the control address (ten requests a second) and one that makes a
 * function misbehave every two seconds, by a request, a message or a mail.
 */
export function honestClients(
  urls: Listeners,
  { answered, failed }: Tally,
  random: () => number,
): HonestClients {
  const mails: string[] = []
  let mailId: string | undefined
  let mailSubject = ''
  let number = 0

  const timed = async (listener: string, what: string, run: () => Promise<string | undefined>) => {
    const started = performance.now()
    const wrong = await run().catch((error: Error) => `${error.name} ${error.message}`)
    if (wrong === undefined) answered(listener, performance.now() - started)
    else failed(listener, `${what}: ${wrong} after ${Math.round(performance.now() - started)} ms`)
  }
  const expected = (wanted: string, found: string) =>
    found === wanted ? undefined : `${JSON.stringify(found.slice(0, 200))} instead of ${wanted}`

  const shopper = (keepAlive: boolean): Client => {
    const { ask, end } = honestHttp(urls.shop, keepAlive)
    return {
      every: 100,
      end,
      turn: () => {
        const path = `/${number++}`
        const body = random() < 0.5 ? '' : 'a'.repeat(1 + random() * 20_000)
        const headers = { 'content-type': 'text/plain' }
        const asked: HttpAsked = {
          method: body === '' ? 'GET' : 'POST',
          headers,
          body,
          chunked: random() < 0.3,
        }
        return timed('load balancer', asked.method!, async () => {
          const { status, body: found } = await ask(path, body === '' ? {} : asked)
          return expected(`200 ${body === '' ? path : digest(body)}`, `${status} ${found}`)
        })
      },
    }
  }

  const queuer = (queue: string, keepAlive: boolean): Client => {
    const { ask, end } = honestHttp(urls.queues, keepAlive)
    const sent = new Set<string>()
    const call = async <A>(operation: string, input: object): Promise<A> => {
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `AmazonSQS.${operation}`,
      }
      const body = JSON.stringify({ QueueUrl: `${urls.queues}/000000000000/${queue}`, ...input })
      const { status, body: found } = await ask('/', { method: 'POST', headers, body })
      if (status !== 200) throw new Error(`${status} ${found.slice(0, 200)}`)
      return JSON.parse(found) as A
    }
    const one = <A>(operation: string, input: object, check: (answer: A) => string | undefined) =>
      timed('queues', operation, async () => check(await call<A>(operation, input)))
    interface Received {
      readonly Messages?: readonly { readonly Body: string; readonly ReceiptHandle: string }[]
    }
    return {
      every: 100,
      end,
      async turn() {
        const text = `${queue} ${number++}`
        // The message may be stored even if the response was lost.
        sent.add(text)
        await one<{ MessageId?: string }>('SendMessage', { MessageBody: text }, ({ MessageId }) =>
          MessageId === undefined ? 'no MessageId' : undefined,
        )
        // The platform passes the messages of this queue to a function, so the client does not receive them.
        if (queue === 'worked') return
        let received: Received = {}
        await one<Received>('ReceiveMessage', { MaxNumberOfMessages: 10 }, answer => {
          received = answer
          const foreign = answer.Messages?.find(({ Body }) => !sent.has(Body))
          return foreign && `a message that was not sent: ${foreign.Body}`
        })
        for (const { ReceiptHandle } of received.Messages ?? [])
          await one('DeleteMessage', { ReceiptHandle }, () => undefined)
      },
    }
  }

  const mailer: Client = {
    every: 1000,
    turn: () =>
      timed('mail', 'mail', async () => {
        const subject = `honest ${number++}`
        await using client = await smtpDialogue(urls.mail, false)
        const greeting = await client.next()
        if (greeting?.code !== 220) return `the greeting: ${greeting?.code} ${greeting?.text}`
        const lines = [
          'EHLO client.example',
          'MAIL FROM:<rita@partner.example>',
          'RCPT TO:<ann@office.example>',
        ]
        for (const line of lines) {
          const reply = await client.say(line)
          if (!reply?.startsWith('250')) return `${line}: ${reply}`
        }
        const ready = await client.say('DATA')
        if (!ready?.startsWith('354')) return `DATA: ${ready}`
        const reply = await client.say(`Subject: ${subject}\r\n\r\nHello\r\n.`)
        const id = /^250 .*Stored as (\S+)/.exec(reply ?? '')?.[1]
        if (id === undefined) return `the end of a mail: ${reply}`
        mails.push(subject)
        mailId = id
        mailSubject = subject
        const last = await client.say('QUIT')
        return last?.startsWith('221') ? undefined : `QUIT: ${last}`
      }),
  }

  const reader = (keepAlive: boolean): Client => {
    const { ask, end } = honestHttp(urls.control, keepAlive)
    return {
      every: 200,
      end,
      async turn() {
        if (mailId === undefined) return
        const subject = mailSubject
        await timed('control', 'GET', async () => {
          const { status, body } = await ask(`/mail/${mailId}`, {})
          const isRight = status === 200 && body.includes('Subject: honest ')
          return isRight ? undefined : `${status} ${body.slice(0, 200)} instead of ${subject}`
        })
      },
    }
  }

  const wild = honestHttp(urls.wild, false)
  const queueOfActs = honestHttp(urls.queues, false)
  const experimenter: Client = {
    every: 2000,
    async turn() {
      const act = Object.keys(acts)[Math.floor(random() * Object.keys(acts).length)]!
      const way = random()
      if (way < 0.15) {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        const body = `Action=SendMessage&QueueUrl=${urls.queues}/000000000000/wild&MessageBody=wild-${act}`
        await timed('queues', 'SendMessage of the query protocol', async () => {
          const { status, body: found } = await queueOfActs.ask('/', { method: 'POST', headers, body })
          return status === 200 ? undefined : `${status} ${found.slice(0, 200)}`
        })
      } else
        await timed('load balancer of a function that misbehaves', act, async () => {
          const asked = performance.now()
          const { status, body } = await wild.ask(`/wild-${act}`, {})
          const isLate = performance.now() - asked >= timeLimit && [502, 504].includes(status)
          return isLate || acts[act]!.includes(status) ? undefined : `${status} ${body.slice(0, 100)}`
        })
    },
  }

  const clients: readonly Client[] = [
    ...[true, true, true, true, false, false].map(shopper),
    ...[queuer('honest-0', true), queuer('honest-1', false), queuer('worked', true)],
    ...[mailer, mailer, reader(true), reader(false), experimenter],
  ]
  let stopped = false
  const running = clients.map(async ({ every, turn }) => {
    await delay(random() * every)
    while (!stopped) {
      const started = performance.now()
      await turn()
      await delay(Math.max(1, every - (performance.now() - started)))
    }
  })
  return {
    mails,
    async stop() {
      stopped = true
      await Promise.all(running)
      for (const { end } of clients) end?.()
      wild.end()
      queueOfActs.end()
    },
  }
}
