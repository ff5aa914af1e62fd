import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generator } from '@signalbox/platform-runtime/testing/generator'
import { type PlatformProcess, startPlatform } from '../platform-process.ts'
import { type Answer, callOperation, isConnectionError } from './pool-client.ts'
import { type Found, verify } from './verify.ts'
import { type Calls, type Visit, visit } from './visitor.ts'

export interface UserSoakOptions {
  /** The number of users who sign up. */
  readonly users: number
  /** The number of times that the platform is killed. */
  readonly kills: number
  /** The seed of the random number generator. */
  readonly seed: number
  readonly say?: (text: string) => void
}

/** The input and the results of a soak. */
export interface UserSoakFigures extends Found {
  /** The number of requests with an answer. */
  readonly acknowledged: number
  /** The number of requests that got no answer because the platform was killed. */
  readonly unacknowledged: number
  /** The violations, with one sentence for each. */
  readonly violations: readonly string[]
}

const program = new URL('./users-platform.ts', import.meta.url)

/** The number of simultaneous users. */
const clients = 4

/** The number of answered requests per user if no answer is lost. */
const requestsOfUser = 28

/**
 * Runs users who sign up, sign in, refresh their tokens and replace their passwords on a platform that is killed at
 * random moments and started again. Checks that no acknowledged change is lost or can be made twice.
 */
export async function userSoak({
  users,
  kills,
  seed,
  say = () => {},
}: UserSoakOptions): Promise<UserSoakFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-soak-'))
  const random = generator(seed)
  const moments = Array.from({ length: kills }, () => Math.floor(random() * users * requestsOfUser)).sort(
    (a, b) => a - b,
  )
  const violations: string[] = []
  const visits: Visit[] = []
  let platform: Promise<PlatformProcess> = startPlatform(program, folder)
  let acknowledged = 0
  let unacknowledged = 0

  const once: Calls['once'] = async (operation, input) => {
    const { url } = await platform
    try {
      const answer = await callOperation(url, operation, input)
      acknowledged++
      return answer
    } catch (error) {
      if (!isConnectionError(error)) throw error
      unacknowledged++
      await delay(5)
      return undefined
    }
  }
  const insist: Calls['insist'] = async (operation, input) => {
    for (;;) {
      const answer: Answer | undefined = await once(operation, input)
      if (answer !== undefined) return answer
    }
  }
  const report = (violation: string) => void violations.push(violation)

  let next = 0
  const visitAll = async () => {
    while (next < users) visits.push(await visit(`user${next++}`, { once, insist }, report))
  }

  const kill = async (number: number) => {
    await delay(random() * 30)
    await (await platform).kill()
    platform = startPlatform(program, folder)
    say(`killed ${number} of ${kills} times, ${acknowledged} requests acknowledged`)
  }

  try {
    let isOver = false
    const visiting = Promise.all(Array.from({ length: clients }, visitAll)).finally(() => {
      isOver = true
    })
    for (const [number, moment] of moments.entries()) {
      while (acknowledged < moment && !isOver) await delay(2)
      await kill(number + 1)
    }
    await visiting
    // One more kill shows that acknowledged changes are permanent.
    await kill(kills)
    const found = await verify(visits, { insist }, report)
    return { ...found, acknowledged, unacknowledged, violations }
  } finally {
    await (await platform).kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
