import { deduplicationInterval } from '@signalbox/queue/contract'

/** The settings of a queue in the model. Times are in milliseconds. */
export interface ModelSettings {
  readonly fifo: boolean
  readonly visibilityTimeout: number
  readonly delay: number
  readonly retentionPeriod: number
  readonly contentBasedDeduplication: boolean
  readonly deduplicationScope: 'queue' | 'messageGroup'
  /** The number of receives of a message before it moves to the dead-letter queue. */
  readonly maxReceiveCount: number | undefined
}

interface Message {
  readonly key: number
  readonly body: string
  readonly group: string | undefined
  readonly sentAt: number
  visibleAt: number
  /** The number of its latest receive. Undefined when it was not received from this queue. */
  receipt: number | undefined
  /** The earlier receives, which a standard queue still accepts. */
  olderReceipts: number[]
  receivedAt: number
  receivedHere: number
  receivedBefore: number
  firstReceivedAt: number | undefined
  givenUp: boolean
}

/** The messages of a receive with an attempt id. */
interface Attempt {
  readonly name: string
  readonly until: number
  readonly receipts: readonly number[]
  readonly answers: readonly Answer[]
  hiddenUntil: number
}

interface Answer {
  readonly key: number
  readonly body: string
  readonly receiveCount: number
  readonly firstReceivedAt: number
  readonly sentAt: number
}

const longestVisibility = 12 * 60 * 60_000
const attemptInterval = 5 * 60_000

interface Queue {
  messages: Message[]
  /** The order of the groups: the time of each group's last change, except for new messages, and its turn. */
  touched: Map<string, { at: number; turn: number }>
  purgedAt: number | undefined
  attempts: Attempt[]
}

/**
 * A model of a queue and its dead-letter queue by the contract. It searches lists from end to end, so it is slow, but
 * small enough to read. The SQLite store is compared with it. Messages and receives are identified by their order.
 */
export function queueModel(settings: ModelSettings) {
  const queue: Queue = { messages: [], touched: new Map(), purgedAt: undefined, attempts: [] }
  const dead: Queue = { messages: [], touched: new Map(), purgedAt: undefined, attempts: [] }
  const sent: { readonly token: string; readonly until: number; readonly key: number }[] = []
  let keys = 0
  let receipts = 0
  let turns = 0

  const touch = (in_: Queue, group: string | undefined, at: number) => {
    if (group === undefined) return
    if (in_.messages.some(each => each.group === group)) in_.touched.set(group, { at, turn: ++turns })
    else in_.touched.delete(group)
  }
  const append = (to: Queue, message: Message) => {
    to.messages.push(message)
    if (message.group !== undefined && !to.touched.has(message.group))
      to.touched.set(message.group, { at: 0, turn: ++turns })
  }
  const expire = (in_: Queue, now: number) => {
    const old = in_.messages.filter(each => each.sentAt <= now - settings.retentionPeriod)
    in_.messages = in_.messages.filter(each => !old.includes(each))
    // In order of name, because any order is correct for groups that expire at the same time.
    for (const group of [...new Set(old.map(each => each.group))].sort()) touch(in_, group, now)
  }
  const readyAt = (in_: Queue, group: string) => {
    const head = in_.messages.find(each => each.group === group)!
    return Math.max(head.visibleAt, in_.touched.get(group)!.at)
  }
  const take = (from: Queue, message: Message, now: number, timeout: number): Answer | undefined => {
    const limit = from === queue ? settings.maxReceiveCount : undefined
    if (limit !== undefined && message.receivedHere >= limit) {
      from.messages.splice(from.messages.indexOf(message), 1)
      append(dead, {
        ...message,
        visibleAt: now,
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
  const received = <T>(answers: readonly (T | undefined)[]) => answers.filter(each => each !== undefined)
  const all = () => [queue, dead].flatMap(in_ => in_.messages.map(message => ({ in_, message })))
  const holder = (receipt: number) => all().find(({ message }) => message.receipt === receipt)

  const receiveAny = (from: Queue, max: number, now: number, timeout: number) => {
    const answers: Answer[] = []
    const visible = from.messages.filter(each => each.visibleAt <= now)
    for (const message of visible.sort((a, b) => a.visibleAt - b.visibleAt)) {
      if (answers.length < max) answers.push(...received([take(from, message, now, timeout)]))
    }
    return answers
  }
  const receiveInOrder = (from: Queue, max: number, now: number, timeout: number) => {
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
        answers.push(...received([take(from, message, now, timeout)]))
      }
      touch(from, group, now)
    }
    return answers
  }
  /** The messages of an earlier receive with the same name, if all of them are unchanged. */
  const repeat = (from: Queue, name: string, now: number, timeout: number) => {
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
    /** Returns the key of the message, or of the earlier one for a duplicate. */
    send(body: string, group: string | undefined, deduplicationId: string | undefined, now: number) {
      const scope = settings.deduplicationScope === 'messageGroup' ? group : ''
      const token = settings.fifo ? `${scope} ${deduplicationId ?? body}` : undefined
      const earlier = sent.findLast(each => each.token === token && each.until > now)
      if (token !== undefined && earlier !== undefined) return earlier.key
      const key = keys++
      if (token !== undefined) sent.push({ token, until: now + deduplicationInterval, key })
      append(queue, {
        key,
        body,
        group: settings.fifo ? group : undefined,
        sentAt: now,
        visibleAt: now + settings.delay,
        receipt: undefined,
        olderReceipts: [],
        receivedAt: 0,
        receivedHere: 0,
        receivedBefore: 0,
        firstReceivedAt: undefined,
        givenUp: false,
      })
      return key
    },

    receive(
      which: 'queue' | 'dead',
      max: number,
      now: number,
      timeout = settings.visibilityTimeout,
      attempt?: string,
    ): readonly Answer[] {
      const from = which === 'queue' ? queue : dead
      expire(from, now)
      const again = attempt === undefined ? undefined : repeat(from, attempt, now, timeout)
      if (again !== undefined) return again
      const first = receipts
      const answers = settings.fifo
        ? receiveInOrder(from, max, now, timeout)
        : receiveAny(from, max, now, timeout)
      if (attempt !== undefined && answers.length > 0)
        from.attempts.push({
          name: attempt,
          until: now + attemptInterval,
          receipts: answers.map((_, at) => first + at),
          answers,
          hiddenUntil: now + timeout,
        })
      return answers
    },

    /** Returns whether the queue refuses. */
    remove(receipt: number, now: number): boolean {
      const held = holder(receipt)
      if (settings.fifo && held !== undefined && held.message.visibleAt <= now) return true
      if (held !== undefined) {
        held.in_.messages.splice(held.in_.messages.indexOf(held.message), 1)
        touch(held.in_, held.message.group, now)
      }
      return false
    },

    changeVisibility(receipt: number, timeout: number, now: number): boolean {
      const held =
        holder(receipt) ??
        (settings.fifo ? undefined : all().find(({ message }) => message.olderReceipts.includes(receipt)))
      if (held === undefined || (settings.fifo && held.message.visibleAt <= now)) return true
      const passed = Math.floor((now - held.message.receivedAt) / 1000) * 1000
      if (timeout > 0 && passed + timeout > longestVisibility) return true
      held.message.visibleAt = now + timeout
      touch(held.in_, held.message.group, now)
      return false
    },

    purge(now: number): boolean {
      if (queue.purgedAt !== undefined && now < queue.purgedAt + 60_000) return true
      queue.messages = []
      queue.touched.clear()
      queue.attempts = []
      sent.length = 0
      queue.purgedAt = now
      return false
    },

    /** Returns how many messages moved back. */
    redrive(now: number): number {
      expire(dead, now)
      const isWorkedOn = (group: string | undefined) =>
        dead.messages.some(
          each =>
            group !== undefined && each.group === group && each.receipt !== undefined && each.visibleAt > now,
        )
      const back = dead.messages.filter(
        each => each.givenUp && each.visibleAt <= now && !isWorkedOn(each.group),
      )
      if (settings.fifo) back.sort((a, b) => (a.group === b.group ? 0 : a.group! < b.group! ? -1 : 1))
      else back.sort((a, b) => a.visibleAt - b.visibleAt)
      for (const message of back) {
        dead.messages.splice(dead.messages.indexOf(message), 1)
        append(queue, {
          ...message,
          sentAt: now,
          visibleAt: now,
          receipt: undefined,
          olderReceipts: [],
          receivedHere: 0,
          receivedBefore: 0,
          firstReceivedAt: undefined,
          givenUp: false,
        })
      }
      for (const group of new Set(back.map(each => each.group))) touch(dead, group, now)
      return back.length
    },

    depth(which: 'queue' | 'dead', now: number) {
      const in_ = which === 'queue' ? queue : dead
      expire(in_, now)
      const hidden = in_.messages.filter(each => each.visibleAt > now)
      const inFlight = hidden.filter(each => each.receipt !== undefined).length
      return { visible: in_.messages.length - hidden.length, inFlight, delayed: hidden.length - inFlight }
    },

    /** Whether a receipt belongs to a message that still exists. */
    isKnown: (receipt: number): boolean => holder(receipt) !== undefined,
  }
}
