import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '@signalbox/core/base'
import { readOperatorKey } from '@signalbox/platform-runtime/access'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import type { AccessKey } from '@signalbox/platform-runtime/signature'
import { readHolder } from '@signalbox/platform-runtime/storage'

/** Milliseconds between two attempts to find the mail server of a platform that is starting. */
const lookInterval = 20
/** Milliseconds after which a command gives up. */
const lookLimit = 2000

/**
 * Returns the URL of the mail server of the running platform, and the key if the platform has `access`.
 * @throws Error with the reason if there is no such mail server
 */
export async function runningMail(
  configFile: string | undefined,
  terminal: CommandContext,
): Promise<{ readonly url: string; readonly key: AccessKey | undefined }> {
  const { dataDir } = (await terminal.project(configFile)).settings
  if (dataDir === undefined)
    throw new Error(
      'This configuration keeps everything in memory: there is no file that says where its platform listens.',
    )
  for (const end = systemClock.now() + lookLimit; ; await delay(lookInterval)) {
    const holder = readHolder(dataDir)
    if (holder === undefined || !isAlive(holder.pid))
      throw new Error(`No platform is running on ${dataDir}. Start one with: signalbox dev`)
    const url = holder.urls.mail
    if (url !== undefined) return { url, key: readOperatorKey(dataDir) }
    if (systemClock.now() > end) throw new Error('The running platform has no mail.')
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // This error means that the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
