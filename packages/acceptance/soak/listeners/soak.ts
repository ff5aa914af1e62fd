import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type SpawnedCommand, spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { generator } from '@signalbox/platform-runtime/testing/generator'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { readMailboxes } from '../mail/mailboxes.ts'
import { type Figures, tally } from './figures.ts'
import { honestClients, type Listeners } from './honest-clients.ts'

export interface ListenerSoakOptions {
  readonly minutes: number
  readonly seed: number
  /** The fraction of the usual rates at which hostile clients attack. */
  readonly share?: number
  /** Milliseconds within which 99 of 100 honest requests must be answered. */
  readonly p99Limit?: number
  readonly say?: (text: string) => void
}

export interface ListenerSoakFigures {
  readonly listeners: ReadonlyMap<string, Figures>
  /** The number of attacks of each kind. */
  readonly attacks: { readonly [name: string]: number }
  /** The 99th percentile of the timer delays in the process of the honest clients, in milliseconds. */
  readonly lateness: number
  readonly violations: readonly string[]
}

/**
 * Milliseconds without hostile clients at the end of each round, so that the platform can finish their requests.
 */
const rest = 5000

/**
 * The number of bytes by which used memory may grow after the first round. The first round loads all code and
 * fills all buffers.
 */
const growthLimit = 48 * 1024 * 1024

/**
 * Runs a platform in a separate process, with honest and hostile clients at every listener, and with functions that
 * misbehave. Hostile clients attack in rounds. Between the rounds, the soak measures the used memory.
 *
 * Everything runs on one machine. Honest clients send about a hundred requests a second. Hostile clients open about
 * 140 connections a second, and a flood opens 150 more. Every two seconds a function breaks its process, so that a
 * new process starts. The platform needs half a processor, honest and hostile clients a tenth each, and new processes
 * of functions a fifth, so two idle processors are enough. Other work on the machine increases the times of all
 * clients. Therefore the figures also show the delay of timers in the process of the honest clients.
 */
export async function listenerSoak({
  minutes,
  seed,
  share = 1,
  p99Limit = 1000,
  say = () => {},
}: ListenerSoakOptions): Promise<ListenerSoakFigures> {
  using folder = temporaryFolder()
  const delays = monitorEventLoopDelay()
  delays.enable()
  const project = fileURLToPath(new URL('./platform', import.meta.url))
  await using platform = spawnCommand(['start'], project, '', { SOAK_FOLDER: folder.path })
  const urls = await listenersOf(platform)
  const found = tally()
  const violations: string[] = []
  const rounds = Math.max(2, Math.round(minutes / 2))
  const length = Math.max(rest / 5, (minutes * 60_000) / rounds - rest)
  const attacks: { [name: string]: number } = {}
  const inUse: number[] = []
  const asked = { times: 0 }
  let mails: readonly string[] = []

  for (let round = 1; round <= rounds && platform.process.exitCode === null; round++) {
    const honest = honestClients(urls, found, generator(seed + round))
    const counts = await hostileRound(urls, seed + round, share, length)
    for (const [name, count] of Object.entries(counts)) attacks[name] = (attacks[name] ?? 0) + count
    await delay(rest / 2)
    await honest.stop()
    mails = [...mails, ...honest.mails]
    await delay(rest / 2)
    if (platform.process.exitCode !== null) break
    const bytes = await bytesInUse(platform, asked, (inUse[0] ?? 0) + growthLimit)
    inUse.push(bytes)
    say(`round ${round} of ${rounds}: ${megabytes(bytes)} MB in use`)
  }

  if (platform.process.exitCode !== null || platform.process.signalCode !== null) {
    const { code, printed, printedErrors } = await platform.exit
    violations.push(`the platform ended with ${code}: ${printed.slice(-500)}${printedErrors.slice(-5000)}`)
  } else {
    await allDelivered(join(folder.path, 'mailboxes'), mails, violations)
    await allWorked(urls.queues, violations)
    platform.process.kill('SIGTERM')
    const { code, printedErrors } = await platform.exit
    if (code !== 0) violations.push(`the platform stopped with ${code}: ${printedErrors.slice(-5000)}`)
  }
  const growth = inUse.at(-1)! - inUse[0]!
  if (growth > growthLimit)
    violations.push(`${megabytes(growth)} MB more are in use than after the first round`)
  const listeners = found.figures()
  for (const [name, { failures, p99 }] of listeners) {
    for (const failure of failures) violations.push(`${name}: ${failure}`)
    if (p99 > p99Limit && !name.includes('misbehaves'))
      violations.push(`${name}: p99 is ${Math.round(p99)} ms`)
  }
  delays.disable()
  return { listeners, attacks, lateness: delays.percentile(99) / 1e6, violations }
}

async function listenersOf(platform: SpawnedCommand): Promise<Listeners> {
  const at = async (name: string) =>
    (await platform.prints(new RegExp(`^${name}: +((?:http|smtp):\\S+)`, 'm')))[1]!
  return {
    shop: await at('load balancer shop'),
    wild: await at('load balancer wild'),
    queues: await at('queues'),
    mail: await at('mail'),
    control: await at('control'),
  }
}

/**
 * Milliseconds within which the platform must release the memory of past requests, such as unpacked entries of the
 * invocation log.
 */
const clearing = 10_000

/**
 * Returns the number of bytes that a platform uses after garbage collection. Measures again until this number is at
 * most `limit`, or until a time limit has passed.
 */
async function bytesInUse(
  platform: SpawnedCommand,
  asked: { times: number },
  limit: number,
): Promise<number> {
  const until = Date.now() + clearing
  for (;;) {
    platform.process.kill('SIGUSR2')
    const [, bytes] = await platform.prints(new RegExp(`memory ${++asked.times}: (\\d+) bytes`))
    if (Number(bytes) <= limit || Date.now() > until) return Number(bytes)
    await delay(500)
  }
}

/** Runs hostile clients against a platform, and returns the number of attacks of each kind. */
async function hostileRound(
  urls: Listeners,
  seed: number,
  share: number,
  length: number,
): Promise<{ readonly [name: string]: number }> {
  const flags = ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning']
  const program = fileURLToPath(new URL('./hostile.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    [...flags, program, JSON.stringify(urls), String(seed), String(share)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const ended = once(child, 'close')
  // The first line says that the clients have started, which takes seconds on a busy machine.
  await Promise.race([once(child.stdout, 'data'), ended])
  await Promise.race([delay(length), ended])
  child.kill('SIGTERM')
  await ended
  return JSON.parse(printed.slice(printed.indexOf('\n'))) as { readonly [name: string]: number }
}

/** Milliseconds within which all accepted work must be done. */
const waitLimit = 60_000

async function allDelivered(folder: string, mails: readonly string[], violations: string[]): Promise<void> {
  const until = Date.now() + waitLimit
  let missing = mails
  for (;;) {
    const delivered = new Set(readMailboxes(folder).map(({ subject }) => subject))
    missing = mails.filter(subject => !delivered.has(subject))
    if (missing.length === 0 || Date.now() > until) break
    await delay(500)
  }
  for (const subject of missing) violations.push(`mail: ${subject} was taken and not delivered`)
}

async function allWorked(url: string, violations: string[]): Promise<void> {
  const counts = async (queue: string) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'AmazonSQS.GetQueueAttributes',
      },
      body: JSON.stringify({ QueueUrl: `${url}/000000000000/${queue}`, AttributeNames: ['All'] }),
    })
    const { Attributes } = (await response.json()) as { readonly Attributes: Record<string, string> }
    return Object.entries(Attributes)
      .filter(([name]) => /^ApproximateNumberOf/.test(name))
      .reduce((sum, [, count]) => sum + Number(count), 0)
  }
  const until = Date.now() + waitLimit
  let left = await counts('worked')
  for (; left > 0 && Date.now() < until; left = await counts('worked')) await delay(500)
  if (left > 0) violations.push(`queues: ${left} messages were not handled`)
  const dead = await counts('worked-dead')
  if (dead > 0) violations.push(`queues: ${dead} messages were given up`)
}

function megabytes(bytes: number | string | undefined): string {
  return (Number(bytes) / 1024 / 1024).toFixed(1)
}
