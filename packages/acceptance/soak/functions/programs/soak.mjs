// Does with each message what its text says, such as `exit 17`, when the message comes for the first time.
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

export async function handler({ Records }) {
  const batchItemFailures = []
  for (const { messageId, body, attributes } of Records) {
    const [fault] = body.split(' ')
    const isFirst = attributes.ApproximateReceiveCount === '1'
    if (fault === 'never' || (fault === 'fail' && isFirst)) {
      batchItemFailures.push({ itemIdentifier: messageId })
      continue
    }
    if (isFirst && fault === 'throw') throw new Error(body)
    if (isFirst && fault === 'exit') process.exit(3)
    if (isFirst && fault === 'late') await delay(1000 * process.env.LATE)
    if (isFirst && fault === 'children')
      for (const detached of [false, true])
        spawn('sleep', [process.env.CHILD], { detached, stdio: 'ignore' }).unref()
    appendFileSync(process.env.HANDLED, `${body}\n`)
  }
  return { batchItemFailures }
}
