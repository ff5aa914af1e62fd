import { deduplicationInterval } from '@signalbox/queue/contract'
import { type Answer, append, emptyQueue, expire, type ModelQueue, touch, turnOf } from './model-queue.ts'
import { modelReceives } from './model-receive.ts'

export type DeduplicationScope = 'queue' | 'messageGroup'

/** The settings of a queue in the model. Times are in milliseconds. */
export interface ModelSettings {
  readonly fifo: boolean
  readonly visibilityTimeout: number
  readonly delay: number
  readonly retentionPeriod: number
  readonly contentBasedDeduplication: boolean
  /** The scope at first. It can change. */
  readonly deduplicationScope: DeduplicationScope
  /** The number of times that a message is received before it moves to the dead-letter queue. */
  readonly maxReceiveCount: number | undefined
}

const longestVisibility = 12 * 60 * 60_000
const attemptInterval = 5 * 60_000

/**
 * A model of a queue and its dead-letter queue as the contract describes them. It searches lists from end to end, so
 * it is slow but easy to read. Tests compare the SQLite store with it. Messages and receives are identified by their
 * order.
 */
export function queueModel(settings: ModelSettings) {
  const queue = emptyQueue()
  const dead = emptyQueue()
  const receives = modelReceives(queue, dead, settings.maxReceiveCount)
  let scope = settings.deduplicationScope
  const sent: {
    readonly id: string
    readonly group: string
    readonly scope: DeduplicationScope
    readonly until: number
    readonly key: number
  }[] = []
  let keys = 0

  const named = (which: 'queue' | 'dead'): ModelQueue => (which === 'queue' ? queue : dead)
  const all = () => [queue, dead].flatMap(from => from.messages.map(message => ({ from, message })))
  const holder = (receipt: number) => all().find(({ message }) => message.receipt === receipt)

  return {
    /** Sends a message. Returns its key or, for a duplicate, the key of the earlier message. */
    send(body: string, group: string | undefined, deduplicationId: string | undefined, now: number) {
      const fairGroup = settings.fifo ? undefined : group
      const id = deduplicationId ?? body
      const earlier = sent.findLast(
        each => each.id === id && each.until > now && (each.scope === 'queue' || each.group === group),
      )
      if (earlier !== undefined) return earlier.key
      const key = keys++
      if (settings.fifo) sent.push({ id, group: group!, scope, until: now + deduplicationInterval, key })
      append(queue, {
        key,
        body,
        group: settings.fifo ? group : undefined,
        fairGroup,
        sentAt: now,
        visibleAt: now + settings.delay,
        ...turnOf(queue, fairGroup, now + settings.delay),
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
      const from = named(which)
      expire(from, settings.retentionPeriod, now)
      const again = attempt === undefined ? undefined : receives.repeat(from, attempt, now, timeout)
      if (again !== undefined) return again
      const first = receives.nextReceipt()
      const answers = settings.fifo
        ? receives.receiveInOrder(from, max, now, timeout)
        : receives.receiveAny(from, max, now, timeout)
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

    /** Changes the DeduplicationScope for messages that are sent from now on. */
    rescope(to: DeduplicationScope): void {
      scope = to
    },

    /** Deletes a message by the number of its receive. Returns whether the queue refuses to delete it. */
    remove(receipt: number, now: number): boolean {
      const held = holder(receipt)
      if (settings.fifo && held !== undefined && held.message.visibleAt <= now) return true
      if (held !== undefined) {
        held.from.messages.splice(held.from.messages.indexOf(held.message), 1)
        touch(held.from, held.message.group, now)
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
      touch(held.from, held.message.group, now)
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

    /** Moves dead letters back. Returns how many it moved. */
    redrive(now: number): number {
      expire(dead, settings.retentionPeriod, now)
      const isWorkedOn = (group: string | undefined) =>
        dead.messages.some(
          each =>
            group !== undefined && each.group === group && each.receipt !== undefined && each.visibleAt > now,
        )
      const back = dead.messages.filter(
        each => each.givenUp && each.visibleAt <= now && !isWorkedOn(each.group),
      )
      if (settings.fifo) back.sort((a, b) => (a.group === b.group ? 0 : a.group! < b.group! ? -1 : 1))
      else back.sort((a, b) => a.turnAt - b.turnAt)
      for (const message of back) {
        dead.messages.splice(dead.messages.indexOf(message), 1)
        append(queue, {
          ...message,
          sentAt: now,
          visibleAt: now,
          ...turnOf(queue, message.fairGroup, now),
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
      const from = named(which)
      expire(from, settings.retentionPeriod, now)
      const hidden = from.messages.filter(each => each.visibleAt > now)
      const inFlight = hidden.filter(each => each.receipt !== undefined).length
      return { visible: from.messages.length - hidden.length, inFlight, delayed: hidden.length - inFlight }
    },

    /** Returns whether a receipt belongs to an existing message. */
    isKnown: (receipt: number): boolean => holder(receipt) !== undefined,
  }
}
