// The functions that each box of the soak runs. They append received events to files.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { QueueEvent } from '@signalbox/queue/contract'
import { notedCalls } from '../../mail/noted-calls.ts'

export { challenge } from '../../users/staff-pool.ts'

const { SOAK_FOLDER = '.', SOAK_BOX } = process.env
const handled = join(SOAK_FOLDER, 'handled.txt')

export async function work({ Records }: QueueEvent): Promise<null> {
  const now = Date.now()
  const lines = Records.map(
    ({ messageId, body, attributes: { ApproximateReceiveCount } }) =>
      `${now} ${SOAK_BOX} ${messageId} ${ApproximateReceiveCount} ${body}\n`,
  )
  appendFileSync(handled, lines.join(''))
  // This delay ensures that some batches are in progress whenever a box is killed.
  await delay(Math.random() * 5)
  return null
}

export const { sort, watch } = notedCalls(join(SOAK_FOLDER, 'invocations.txt'))
