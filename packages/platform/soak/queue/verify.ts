import { visibilityTimeout } from './visibility-timeout.ts'

/** What a box wrote down about one message. */
interface Handled {
  readonly time: number
  readonly life: string
  readonly messageId: string
  readonly body: string
}

/** What came out of a soak. */
export interface Findings {
  readonly handled: number
  readonly duplicates: number
  /** What must not be, as sentences. */
  readonly violations: readonly string[]
}

/**
 * Holds what was handled against what was acknowledged: nothing is lost, every group is in order, and what was
 * handled twice was in hand when a box was killed, or timed out.
 */
export function verify(written: string, acknowledged: ReadonlySet<string>): Findings {
  const lines = written.split('\n').filter(line => line !== '')
  const all = lines.map((line): Handled => {
    const [time, life, messageId, body] = line.split(' ')
    return { time: Number(time), life: life!, messageId: messageId!, body: body! }
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
      if (before.life === each.life && each.time - before.time < visibilityTimeout)
        violations.push(`${each.body} was handled twice within ${each.time - before.time} ms of one life`)
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
