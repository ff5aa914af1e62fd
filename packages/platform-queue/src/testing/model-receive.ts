import { type Answer, append, type Message, type ModelQueue, touch, turnOf } from './model-queue.ts'

/**
 * Returns the receive functions of a model queue and of its dead-letter queue. The functions number all receives in one
 * sequence.
 * @param maxReceiveCount the number of times that a message is received before it moves to the dead-letter queue
 */
export function modelReceives(queue: ModelQueue, dead: ModelQueue, maxReceiveCount: number | undefined) {
  let receipts = 0

  /** Returns the time when the first message of a group can be received. */
  const readyAt = (from: ModelQueue, group: string) => {
    const head = from.messages.find(each => each.group === group)!
    return Math.max(head.visibleAt, from.touched.get(group)!.at)
  }
  /** Receives a message, or moves it to the dead-letter queue. */
  const take = (from: ModelQueue, message: Message, now: number, timeout: number): Answer | undefined => {
    const limit = from === queue ? maxReceiveCount : undefined
    if (limit !== undefined && message.receivedHere >= limit) {
      from.messages.splice(from.messages.indexOf(message), 1)
      append(dead, {
        ...message,
        visibleAt: now,
        ...turnOf(dead, message.fairGroup, now),
        receipt: undefined,
        olderReceipts: [],
        receivedBefore: message.receivedBefore + message.receivedHere,
        receivedHere: 0,
        givenUp: true,
      })
      return undefined
    }
    if (message.receipt !== undefined) message.olderReceipts.push(message.receipt)
    message.receipt = receipts++
    message.receivedAt = now
    message.visibleAt = now + timeout
    message.receivedHere++
    message.firstReceivedAt ??= now
    return {
      key: message.key,
      body: message.body,
      receiveCount: message.receivedBefore + message.receivedHere,
      firstReceivedAt: message.firstReceivedAt,
      sentAt: message.sentAt,
    }
  }
  /** Receives from a standard queue. */
  const receiveAny = (from: ModelQueue, max: number, now: number, timeout: number) => {
    const answers: Answer[] = []
    const visible = from.messages.filter(each => each.visibleAt <= now)
    for (const message of visible.sort((a, b) => a.turnAt - b.turnAt)) {
      if (answers.length < max)
        answers.push(...[take(from, message, now, timeout)].filter(each => each !== undefined))
    }
    return answers
  }
  /** Receives from a FIFO queue. */
  const receiveInOrder = (from: ModelQueue, max: number, now: number, timeout: number) => {
    const answers: Answer[] = []
    const ready = [...from.touched.keys()]
      .map(group => ({ group, at: readyAt(from, group), turn: from.touched.get(group)!.turn }))
      .filter(each => each.at <= now)
      .sort((a, b) => a.at - b.at || a.turn - b.turn)
    for (const { group } of ready) {
      if (answers.length === max) break
      const inOrder = from.messages.filter(each => each.group === group)
      for (const message of inOrder) {
        if (answers.length === max || message.visibleAt > now) break
        answers.push(...[take(from, message, now, timeout)].filter(each => each !== undefined))
      }
      touch(from, group, now)
    }
    return answers
  }
  /** Returns the messages of the earlier receive request with this name, if all of them are unchanged. */
  const repeat = (from: ModelQueue, name: string, now: number, timeout: number) => {
    const earlier = from.attempts.findLast(each => each.name === name && each.until > now)
    if (earlier === undefined || earlier.hiddenUntil <= now) return undefined
    const held = from.messages.filter(
      ({ receipt, visibleAt }) =>
        receipt !== undefined && earlier.receipts.includes(receipt) && visibleAt === earlier.hiddenUntil,
    )
    if (held.length < earlier.receipts.length) return undefined
    earlier.hiddenUntil = now + timeout
    for (const message of held) message.visibleAt = now + timeout
    const inOrder = held.sort((a, b) => a.receipt! - b.receipt!)
    for (const group of new Set(inOrder.map(each => each.group))) touch(from, group, now)
    return earlier.answers
  }

  return {
    receiveAny,
    receiveInOrder,
    repeat,
    /** Returns the number of the next receive request. */
    nextReceipt: () => receipts,
  }
}
