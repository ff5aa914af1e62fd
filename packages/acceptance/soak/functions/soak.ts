import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { callOperation, queueUrl } from '@signalbox/platform-queue/testing/parts'
import { generator } from '@signalbox/platform-runtime/testing/generator'
import { isConnectionError, type PlatformProcess, startPlatform } from '../platform-process.ts'
import { deadQueue, languagesIn, save } from './language.ts'
import { verify } from './verify.ts'

export interface FunctionSoakOptions {
  readonly minutes: number
  /** The seed of the random number generator. */
  readonly seed: number
  readonly say?: (text: string) => void
}

export interface FunctionSoakFigures {
  readonly languages: readonly string[]
  readonly acknowledged: number
  readonly handled: number
  readonly again: number
  readonly dead: number
  readonly platformKills: number
  readonly instanceKills: number
  readonly reloads: number
  /** The largest resident memory of a platform's process in MB. */
  readonly memory: number
  readonly violations: readonly string[]
}

/** The faults of messages, each as often as it stands here. `never` fails always, and the others once. */
const faults = [...Array(40).fill('ok'), 'fail', 'fail', 'throw', 'exit', 'late', 'children', 'never']
const batchSize = 10
const program = new URL('./functions-platform.ts', import.meta.url)

/**
 * Sends messages to the queues of functions in several languages that throw, exit, take too long and leave processes
 * behind, while the platform and instances are killed and files are saved. Ends when the queues are empty. Checks that
 * every message was handled or is in the dead-letter queue, and that no process is left.
 */
export async function functionSoak({
  minutes,
  seed,
  say = () => {},
}: FunctionSoakOptions): Promise<FunctionSoakFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-soak-'))
  const random = generator(seed)
  const { languages, missing } = languagesIn(folder)
  for (const name of missing) say(`skipped: this machine has no ${name}`)
  const names = languages.map(({ name }) => name)
  const acknowledged = new Set<string>()
  const violations: string[] = []
  let [platformKills, instanceKills, reloads, memory, message] = [0, 0, 0, 0, 0]
  /** A variable in the environment of the instances that the running platform has started. */
  let mark = ''
  const start = (): Promise<PlatformProcess> => {
    mark = randomUUID()
    return startPlatform(program, folder, [JSON.stringify(languages)], { SOAK: mark })
  }
  let platform = start()

  /** Repeats a call until a platform process answers it. */
  const insist = async (
    queue: string,
    operation: Parameters<typeof callOperation>[1],
    input: object,
  ): ReturnType<typeof callOperation> => {
    for (;;) {
      const { url } = await platform
      try {
        return await callOperation(url, operation, { ...input, QueueUrl: queueUrl(url, queue) } as never)
      } catch (error) {
        if (!isConnectionError(error)) throw error
        await delay(5)
      }
    }
  }

  const sendSome = async (queue: string) => {
    const bodies = Array.from(
      { length: batchSize },
      () => `${faults[Math.floor(random() * faults.length)]} ${message++}`,
    )
    const Entries = bodies.map((MessageBody, at) => ({ Id: `${at}`, MessageBody }))
    const { Successful } = await insist(queue, 'SendMessageBatch', { Entries })
    for (const { Id } of Successful as { Id: string }[]) acknowledged.add(bodies[Number(Id)]!)
  }

  const waiting = async (queue: string): Promise<number> => {
    const { Attributes } = await insist(queue, 'GetQueueAttributes', { AttributeNames: ['All'] })
    return Object.entries(Attributes as Record<string, string>).reduce(
      (sum, [name, value]) => sum + (name.startsWith('ApproximateNumberOf') ? Number(value) : 0),
      0,
    )
  }

  const disturb = async () => {
    const chance = random()
    const running = await platform
    memory = Math.max(memory, residentMemory(running.pid))
    if (chance < 0.2) {
      await running.kill()
      platformKills++
      platform = start()
      await platform
    } else if (chance < 0.6) {
      const instances = marked(mark)
      const victim = instances[Math.floor(random() * instances.length)]
      if (victim === undefined) return
      try {
        process.kill(victim, 'SIGKILL')
        instanceKills++
      } catch {
        // It has ended in the meantime.
      }
    } else {
      save(languages[Math.floor(random() * languages.length)]!, folder)
      running.signal('SIGHUP')
      reloads++
    }
  }

  try {
    const end = performance.now() + minutes * 60_000
    const sending = names.map(async queue => {
      while (performance.now() < end) {
        // The queues never run empty, and never hold much more than what is handled in a few seconds.
        if ((await waiting(queue)) < 60) await sendSome(queue)
        await delay(50)
      }
    })
    const disturbing = (async () => {
      while (performance.now() < end) {
        await delay(500 + random() * 4000)
        await disturb()
        if ((platformKills + instanceKills + reloads) % 20 === 0)
          say(
            `${acknowledged.size} messages acknowledged, ${platformKills} + ${instanceKills} kills, ${reloads} reloads`,
          )
      }
    })()
    await Promise.all([...sending, disturbing])
    for (const queue of names) while ((await waiting(queue)) > 0) await delay(100)

    const dead = new Set<string>()
    while ((await waiting(deadQueue)) > 0) {
      const { Messages = [] } = await insist(deadQueue, 'ReceiveMessage', { MaxNumberOfMessages: 10 })
      for (const { Body, ReceiptHandle } of Messages as { Body: string; ReceiptHandle: string }[]) {
        dead.add(Body)
        await insist(deadQueue, 'DeleteMessage', { ReceiptHandle })
      }
    }
    const last = await platform
    memory = Math.max(memory, residentMemory(last.pid))
    await last.stop()
    const left = marked(mark)
    if (left.length > 0) violations.push(`${left.length} processes are left after the platform has stopped`)

    const found = verify(readFileSync(join(folder, 'handled.txt'), 'utf8'), acknowledged, dead)
    return {
      ...found,
      violations: [...violations, ...found.violations],
      languages: names,
      acknowledged: acknowledged.size,
      dead: dead.size,
      platformKills,
      instanceKills,
      reloads,
      memory,
    }
  } finally {
    await (await platform).kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the ids of the processes whose environment has the value of the variable SOAK, the platform itself aside. */
function marked(value: string): readonly number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(id => {
      try {
        const variables = readFileSync(`/proc/${id}/environ`, 'latin1').split('\0')
        return variables.includes(`SOAK=${value}`) && variables.some(each => each.startsWith('HANDLED='))
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Returns the resident memory of a process in MB. */
function residentMemory(id: number): number {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'latin1')) ?? []
    return Math.round(Number(kilobytes) / 1000)
  } catch {
    return 0
  }
}
