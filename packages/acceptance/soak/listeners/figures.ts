/** The results of all requests that honest clients send to one listener. */
export interface Figures {
  readonly count: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly slowest: number
  readonly failures: readonly string[]
}

/** Records the results of honest clients, by listener. */
export interface Tally {
  /** Records that an expected answer arrived after `time` milliseconds. */
  readonly answered: (listener: string, time: number) => void
  readonly failed: (listener: string, why: string) => void
  readonly figures: () => ReadonlyMap<string, Figures>
}

export function tally(): Tally {
  const all = new Map<string, { readonly times: number[]; readonly failures: string[] }>()
  const of = (listener: string) => {
    const own = all.get(listener) ?? { times: [], failures: [] }
    all.set(listener, own)
    return own
  }
  return {
    answered: (listener, time) => void of(listener).times.push(time),
    failed: (listener, why) => void of(listener).failures.push(why),
    figures: () =>
      new Map(
        Array.from(all, ([listener, { times, failures }]) => {
          const sorted = Float64Array.from(times).sort()
          const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0
          return [listener, { count: times.length, p50: at(0.5), p99: at(0.99), slowest: at(1), failures }]
        }),
      ),
  }
}
