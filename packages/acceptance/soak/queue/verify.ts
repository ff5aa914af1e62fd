import { visibilityTimeout } from './visibility-timeout.ts'

/** The record of one message that a platform process has handled. */
interface Handled {
  readonly time: number
  readonly process: string
  readonly messageId: string
  readonly body: string
}

/** The results of a soak. */
export interface Findings {
  readonly handled: number
  readonly duplicates: number
  /** The violations, with one sentence for each. */
  readonly violations: readonly string[]
}

/**
 * Compares the handled messages with the acknowledged messages. No message may be lost, and every group must be
 * in order. A message may be handled twice only if the platform was killed in the meantime, or if the visibility
 * timeout passed.
 */
export function verify(written: string, acknowledged: ReadonlySet<string>): Findings {
  const lines = written.split('\n').filter(line => line !== '')
  const all = lines.map((line): Handled => {
    const [time, process, messageId, body] = line.split(' ')
    return { time: Number(time), process: process!, messageId: messageId!, body: body! }
  })
  const violations: string[] = []
  const last = new Map<string, Handled>()
  const groups = new Map<string, number>()
  let duplicates = 0
  for (const each of all) {
    const before = last.get(each.messageId)
    last.set(each.messageId, each)
    if (before !== undefined) {
      duplicates++
      if (before.process === each.process && each.time - before.time < visibilityTimeout)
        violations.push(`${each.body} was handled twice within ${each.time - before.time} ms in one process`)
    }
    const [kind, group, number] = each.body.split(':')
    if (kind !== 'ordered') continue
    const done = groups.get(group!) ?? -1
    if (Number(number) > done + 1) violations.push(`${each.body} was handled right after number ${done}`)
    groups.set(group!, Number(number))
  }
  for (const messageId of acknowledged)
    if (!last.has(messageId)) violations.push(`${messageId} was acknowledged and never handled`)
  return { handled: all.length, duplicates, violations }
}
