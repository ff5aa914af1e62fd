// #region fetch
import type { Invocation } from '@signalbox/core'

/** Fetches a whole mail from the platform, whose URL functions find in an environment variable. */
export async function fetchMessage(messageId: string, { signal }: Pick<Invocation, 'signal'>) {
  const response = await fetch(`${process.env.SIGNALBOX_CONTROL}/mail/${messageId}`, { signal })
  if (!response.ok) throw new Error(`The mail ${messageId} cannot be had: ${await response.text()}`)
  return new Uint8Array(await response.arrayBuffer())
}
// #endregion fetch
