/** A fault of one box or of all boxes, such as a kill. */
export interface Fault {
  /** Milliseconds since the epoch. */
  readonly time: number
  /** The number of the box. Undefined for all boxes. */
  readonly box: number | undefined
}

/** The result of comparing handled with acknowledged messages. */
export interface MessageFindings {
  /** The number of deliveries to functions. */
  readonly handled: number
  /** The number of repeated deliveries. */
  readonly repeated: number
  /** The largest number of deliveries of one message. */
  readonly most: number
  readonly violations: readonly string[]
}

/** The tolerance in milliseconds when times of faults are compared with times of deliveries. */
const slack = 1000

/**
 * Compares the records of functions with the acknowledged messages. No message may be lost, each FIFO group must be
 * in order, and a FIFO message that was sent several times must be stored once. A message may be handled again only
 * after a fault of the box that had it, and never twice with the same receive count.
 * @param written a line for each delivery: time, box, message id, number of receives, body
 * @param acknowledged the ids of the acknowledged messages
 */
export function verifyMessages(
  written: string,
  acknowledged: ReadonlySet<string>,
  faults: readonly Fault[],
): MessageFindings {
  const violations: string[] = []
  const deliveries = new Map<
    string,
    { readonly time: number; readonly box: number; readonly receive: string }[]
  >()
  const idOf = new Map<string, string>()
  const groups = new Map<string, number>()
  const lines = written.split('\n').filter(line => line !== '')
  for (const line of lines) {
    const [time, box, messageId, receive, body] = line.split(' ') as [string, string, string, string, string]
    const before = deliveries.get(messageId) ?? []
    if (before.some(each => each.receive === receive))
      violations.push(`${body} was handled twice after receive ${receive}`)
    const last = before.at(-1)
    if (
      last !== undefined &&
      !faults.some(
        fault =>
          (fault.box ?? last.box) === last.box &&
          fault.time > last.time - slack &&
          fault.time < Number(time) + slack,
      )
    )
      violations.push(`${body} was handled again, and nothing had happened to box ${last.box}`)
    deliveries.set(messageId, [...before, { time: Number(time), box: Number(box), receive }])
    const [kind, group, number] = body.split(':')
    if (kind !== 'ordered') continue
    if ((idOf.get(body) ?? messageId) !== messageId) violations.push(`${body} was stored twice`)
    idOf.set(body, messageId)
    const done = groups.get(group!) ?? -1
    if (Number(number) > done + 1) violations.push(`${body} was handled right after number ${done}`)
    groups.set(group!, Number(number))
  }
  for (const messageId of acknowledged)
    if (!deliveries.has(messageId)) violations.push(`${messageId} was acknowledged and never handled`)
  const counts = [...deliveries.values()].map(({ length }) => length)
  return {
    handled: lines.length,
    repeated: lines.length - deliveries.size,
    most: counts.reduce((most, count) => Math.max(most, count), 0),
    violations,
  }
}
