import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Clock } from '@signalbox/core'
import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import type { UserPoolConfig, UserPoolListenerConfig } from '../config/user-pool-config.ts'
import { createPlatform } from './pool-program.ts'
import type { Answers, AnyEvent } from './pool-setup.ts'

/**
 * Starts a platform with the pool `staff` and its listener on a free port. One function handles all triggers and
 * returns the given answers.
 * @param pool its `clock` is the system's clock unless it is set
 */
export async function listeningPool(
  {
    answers = {},
    clock,
    ...pool
  }: Partial<UserPoolConfig> & { readonly answers?: Answers; readonly clock?: Clock } = {},
  dataDir = ':memory:',
  listener: UserPoolListenerConfig = {},
) {
  const events: AnyEvent[] = []
  const handler = async (event: never) => {
    const sent = event as AnyEvent
    events.push(structuredClone(sent))
    const answer = await answers[sent.triggerSource]?.(sent)
    return { ...sent, response: { ...sent.response, ...answer } }
  }
  const notices: string[] = []
  const invocations: InvocationLogEntry[] = []
  const platform = createPlatform(
    {
      functions: { work: { handler } },
      userPools: {
        staff: {
          id: 'eu-central-1_Staff01',
          triggers: Object.fromEntries(Object.keys(answers).map(source => [source, 'work'])),
          clients: { web: { id: 'web', flows: ['srp', 'password', 'custom', 'admin', 'refresh'] } },
          ...pool,
        },
      },
      userPoolListener: { port: 0, ...listener },
      dataDir,
      grace: 1,
    } as never,
    {
      ...(clock && { clock }),
      onNotice: text => notices.push(text),
      onInvocation: entry => invocations.push(entry),
    },
  )
  const [address] = await platform.start()
  return {
    url: address!.url,
    platform,
    events,
    notices,
    /** The invocations that were logged. */
    invocations,
    get called() {
      return events.map(({ triggerSource }) => triggerSource)
    },
    [Symbol.asyncDispose]: platform.stop,
  }
}

/**
 * Runs a program that uses a client library, and resolves to the JSON that it prints. The program runs in a separate
 * process, because the SRP arithmetic of these libraries would take minutes in the test process.
 * @param program the name of a file in `clients/`
 */
export async function runClient(program: string, ...args: readonly string[]): Promise<unknown> {
  const file = fileURLToPath(new URL(`./clients/${program}`, import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@signalbox/source', file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let errors = ''
  child.stdout.on('data', chunk => (printed += chunk))
  child.stderr.on('data', chunk => (errors += chunk))
  const [exitCode] = await once(child, 'close')
  if (exitCode !== 0) throw new Error(`${program} failed with ${exitCode}:\n${errors}`)
  return JSON.parse(printed)
}
