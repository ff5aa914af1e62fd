import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { callOperation, queueUrl } from '@signalbox/platform-queue/testing/parts'
import { generator } from '@signalbox/platform-runtime/testing/generator'
import { isConnectionError, type PlatformProcess, startPlatform } from '../platform-process.ts'
import { type Findings, verify } from './verify.ts'

export interface SoakOptions {
  /** The number of messages for each of the two queues. */
  readonly messages: number
  /** The number of message groups in the FIFO queue. */
  readonly groups: number
  /** The number of times that the platform is killed. */
  readonly kills: number
  /** The seed of the random number generator. */
  readonly seed: number
  readonly say?: (text: string) => void
}

/** The input and the results of a soak. */
export interface SoakFigures extends Findings {
  readonly acknowledged: number
  readonly probes: number
}

const batchSize = 10
const program = new URL('./queue-platform.ts', import.meta.url)

/**
 * Sends messages to a standard queue and a FIFO queue, while the platform is killed at random moments and started
 * again. Ends when both queues are empty. Checks that nothing was lost, out of order, or deleted with an old receipt
 * handle.
 */
export async function soak({
  messages,
  groups,
  kills,
  seed,
  say = () => {},
}: SoakOptions): Promise<SoakFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-soak-'))
  const random = generator(seed)
  const moments = Array.from({ length: kills }, () => Math.floor(random() * messages * 2)).sort(
    (a, b) => a - b,
  )
  const acknowledged = new Set<string>()
  const violations: string[] = []
  let probes = 0
  let platform: Promise<PlatformProcess> = startPlatform(program, folder)

  const call = async (
    queue: string,
    ...[operation, input]: Parameters<typeof callOperation> extends [string, infer O, infer I, unknown?]
      ? [O, I]
      : never
  ) => {
    const { url } = await platform
    return callOperation(url, operation, { ...input, QueueUrl: queueUrl(url, queue) } as never)
  }

  /** Repeats a call until a platform process answers it. */
  const insist = async (...args: Parameters<typeof call>): ReturnType<typeof call> => {
    for (;;) {
      try {
        return await call(...args)
      } catch (error) {
        // A connection error means that the platform was killed. Any other error is an answer.
        if (!isConnectionError(error)) throw error
        await delay(5)
      }
    }
  }

  const sendAll = async (queue: string, entryOf: (at: number) => object, once: boolean) => {
    for (let first = 0; first < messages; first += batchSize) {
      const Entries = Array.from({ length: Math.min(batchSize, messages - first) }, (_, at) => ({
        Id: `${at}`,
        ...entryOf(first + at),
      }))
      try {
        const answer = await (once ? call : insist)(queue, 'SendMessageBatch', { Entries })
        for (const { MessageId } of answer.Successful as { MessageId: string }[]) acknowledged.add(MessageId)
      } catch (error) {
        // The sender got no reply for these messages, so they may have been stored.
        if (!isConnectionError(error)) throw error
        await delay(5)
      }
    }
  }

  const receiveProbe = async (VisibilityTimeout: number, WaitTimeSeconds = 0) => {
    const answer = await insist('probe', 'ReceiveMessage', { VisibilityTimeout, WaitTimeSeconds })
    return (answer.Messages as { ReceiptHandle: string }[] | undefined)?.[0]?.ReceiptHandle
  }

  /**
   * Receives a message twice, kills the platform, and tries to delete the message with the older receipt handle.
   */
  const killWithProbe = async () => {
    await insist('probe', 'SendMessage', { MessageBody: `probe:${probes++}` })
    const older = (await receiveProbe(0))!
    await receiveProbe(1)
    await delay(random() * 30)
    await (await platform).kill()
    platform = startPlatform(program, folder)
    await insist('probe', 'DeleteMessage', { ReceiptHandle: older })
    const newest = await receiveProbe(30, 20)
    if (newest === undefined) violations.push(`probe ${probes - 1} was deleted with an old receipt`)
    else await insist('probe', 'DeleteMessage', { ReceiptHandle: newest })
  }

  const sending = Promise.all([
    sendAll('standard', at => ({ MessageBody: `standard:${at}` }), true),
    sendAll(
      'ordered.fifo',
      at => {
        const body = `ordered:${at % groups}:${Math.floor(at / groups)}`
        return { MessageBody: body, MessageGroupId: `${at % groups}`, MessageDeduplicationId: body }
      },
      false,
    ),
  ])
  let sent = false
  void sending.finally(() => {
    sent = true
  })

  try {
    for (const [number, moment] of moments.entries()) {
      while (acknowledged.size < moment && !sent) await delay(5)
      await killWithProbe()
      say(`killed ${number + 1} of ${kills} times, ${acknowledged.size} messages acknowledged`)
    }
    await sending
    for (const queue of ['standard', 'ordered.fifo']) while (!(await isEmpty(queue))) await delay(50)
    const findings = verify(readFileSync(join(folder, 'handled.txt'), 'utf8'), acknowledged)
    return {
      ...findings,
      violations: [...violations, ...findings.violations],
      acknowledged: acknowledged.size,
      probes,
    }
  } finally {
    await (await platform).kill()
    rmSync(folder, { recursive: true, force: true })
  }

  async function isEmpty(queue: string): Promise<boolean> {
    const { Attributes } = await insist(queue, 'GetQueueAttributes', { AttributeNames: ['All'] })
    return Object.entries(Attributes as Record<string, string>).every(
      ([name, value]) => !name.startsWith('ApproximateNumberOf') || value === '0',
    )
  }
}
