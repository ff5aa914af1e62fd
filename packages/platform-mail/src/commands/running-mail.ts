import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '@signalbox/core/base'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import { holderOf } from '@signalbox/platform-runtime/storage'

/** Milliseconds between two looks, and until they end, while a box is running whose mail server is not there yet. */
const lookAgain = 20
const patience = 2000

/**
 * Where the mail server of a configuration's box listens.
 * @throws Error that says why there is none
 */
export async function runningMail(given: string | undefined, terminal: CommandContext): Promise<string> {
  const { dataDir } = (await terminal.project(given)).settings
  if (dataDir === undefined)
    throw new Error(
      'This configuration keeps everything in memory, and nobody can tell where its box listens.',
    )
  for (const end = systemClock.now() + patience; ; await delay(lookAgain)) {
    const holder = holderOf(dataDir)
    if (holder === undefined || !isAlive(holder.pid))
      throw new Error(`No box is running on ${dataDir}. Start one with: signalbox dev`)
    if (holder.mail !== undefined) return holder.mail
    if (systemClock.now() > end) throw new Error('The box that is running has no mail.')
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
