/** Runs work, after the work with the same key that began before has ended. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Lets work with the same key take turns. */
export function turns(): Turns {
  const latest = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = latest.get(key)
    const turn = before === undefined ? work() : before.catch(() => {}).then(work)
    latest.set(key, turn)
    try {
      return await turn
    } finally {
      if (latest.get(key) === turn) latest.delete(key)
    }
  }
}
