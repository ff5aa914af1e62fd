/** A message of the model. */
export interface Message {
  readonly key: number
  readonly body: string
  /** The group in a FIFO queue. */
  readonly group: string | undefined
  /** The group in a standard queue. */
  readonly fairGroup: string | undefined
  readonly sentAt: number
  /** Orders the messages of a standard queue. */
  readonly turnAt: number
  /** The number of the message in its group of a standard queue. */
  readonly nth: number
  visibleAt: number
  /** The number of the latest receive request. Undefined if the message was not received from this queue. */
  receipt: number | undefined
  /** The earlier receive requests, whose handles a standard queue still accepts. */
  olderReceipts: number[]
  receivedAt: number
  receivedHere: number
  receivedBefore: number
  firstReceivedAt: number | undefined
  givenUp: boolean
}

/** The messages of a receive request with an attempt id. */
interface Attempt {
  readonly name: string
  readonly until: number
  readonly receipts: readonly number[]
  readonly answers: readonly Answer[]
  hiddenUntil: number
}

/** A message in the form that a receive request returns. */
export interface Answer {
  readonly key: number
  readonly body: string
  readonly receiveCount: number
  readonly firstReceivedAt: number
  readonly sentAt: number
}

/** A queue of the model, which consists of lists. */
export interface ModelQueue {
  messages: Message[]
  /** The turn of each group, and the time of its latest change. A new message does not count as a change. */
  touched: Map<string, { at: number; turn: number }>
  purgedAt: number | undefined
  attempts: Attempt[]
  /** The latest turn that any group has had. */
  turns: number
}

export const emptyQueue = (): ModelQueue => ({
  messages: [],
  touched: new Map(),
  purgedAt: undefined,
  attempts: [],
  turns: 0,
})

/** Sets the time of a group's latest change, so that this group comes after groups that have not changed. */
export function touch(queue: ModelQueue, group: string | undefined, at: number): void {
  if (group === undefined) return
  if (queue.messages.some(each => each.group === group)) queue.touched.set(group, { at, turn: ++queue.turns })
  else queue.touched.delete(group)
}

/** Returns the turn of a message that is added to the end of a standard queue. */
export function turnOf(queue: ModelQueue, fairGroup: string | undefined, visibleAt: number) {
  const before = queue.messages.filter(
    each => fairGroup !== undefined && each.fairGroup === fairGroup && each.receivedHere === 0,
  )
  const [first, last] = [before.at(0), before.at(-1)]
  if (first === undefined || last === undefined) return { turnAt: visibleAt, nth: 0 }
  const turnAt = Math.max(visibleAt + (last.nth - first.nth + 1) * 60_000, last.turnAt)
  return { turnAt, nth: last.nth + 1 }
}

export function append(queue: ModelQueue, message: Message): void {
  queue.messages.push(message)
  if (message.group !== undefined && !queue.touched.has(message.group))
    queue.touched.set(message.group, { at: 0, turn: ++queue.turns })
}

/** Deletes the messages that are older than the retention period. */
export function expire(queue: ModelQueue, retentionPeriod: number, now: number): void {
  const old = queue.messages.filter(each => each.sentAt <= now - retentionPeriod)
  queue.messages = queue.messages.filter(each => !old.includes(each))
  // The groups are sorted by name. Any order is correct for groups that expire at the same time.
  for (const group of [...new Set(old.map(each => each.group))].sort()) touch(queue, group, now)
}
