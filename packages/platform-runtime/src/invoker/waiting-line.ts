/** An event that waits for its function. */
export interface WaitingEvent {
  /** The client that caused the event. Undefined when no client did. */
  readonly client: string | undefined
}

/** The events that wait for one function. Their clients take turns, so that no client holds the line against others. */
export interface WaitingLine<T extends WaitingEvent> {
  readonly length: () => number
  /** Adds an event. The line must not be full. */
  readonly add: (event: T) => void
  /** Takes the next event out of the line, or the next one of those that fit. */
  readonly next: (fits?: (event: T) => boolean) => T | undefined
  readonly remove: (event: T) => void
  /** Returns whether an event is one of the next ones. */
  readonly isAmongNext: (event: T, count: number) => boolean
  /**
   * Returns the event that has to leave a full line for a new event of a client: the latest event of the client with the
   * most events. Returns undefined if the new event has to go, because its client has as many.
   */
  readonly leaves: (client: string | undefined) => T | undefined
  /** Empties the line, and returns its events. */
  readonly clear: () => readonly T[]
}

/** The maximum number of events that wait for one function. */
export const waitingLimit = 1000

/** Creates an empty line. */
export function waitingLine<T extends WaitingEvent>(): WaitingLine<T> {
  /** The events of each client, in order. The client whose turn is next comes first. */
  const byClient = new Map<string | undefined, T[]>()
  let length = 0

  function* inOrder(): Generator<T> {
    const lists = [...byClient.values()]
    for (let round = 0; lists.some(list => round < list.length); round++)
      for (const list of lists) if (round < list.length) yield list[round]!
  }

  return {
    length: () => length,
    add(event) {
      const own = byClient.get(event.client)
      if (own === undefined) byClient.set(event.client, [event])
      else own.push(event)
      length++
    },
    next(fits = () => true) {
      for (const event of inOrder()) {
        if (!fits(event)) continue
        length--
        const list = byClient.get(event.client)!
        list.splice(list.indexOf(event), 1)
        byClient.delete(event.client)
        if (list.length > 0) byClient.set(event.client, list)
        return event
      }
      return undefined
    },
    remove(event) {
      const list = byClient.get(event.client)
      const at = list?.indexOf(event) ?? -1
      if (list === undefined || at < 0) return
      list.splice(at, 1)
      length--
      if (list.length === 0) byClient.delete(event.client)
    },
    isAmongNext(event, count) {
      let left = count
      for (const each of inOrder()) {
        if (left-- <= 0) return false
        if (each === event) return true
      }
      return false
    },
    leaves(client) {
      let most = (byClient.get(client)?.length ?? 0) + 1
      let longest: readonly T[] = []
      for (const list of byClient.values())
        if (list.length > most) {
          most = list.length
          longest = list
        }
      return longest.at(-1)
    },
    clear() {
      const all = [...inOrder()]
      byClient.clear()
      length = 0
      return all
    },
  }
}
