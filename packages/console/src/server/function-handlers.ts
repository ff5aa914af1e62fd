import { ApiError, type ConsoleContext, type EntryAbout, found } from '@signalbox/platform-runtime/console'
import type { Handlers } from './handlers.ts'

/** The default period: one hour, in milliseconds. */
const hour = 3_600_000

/** The maximum number of parts into which a period is divided. */
const mostSteps = 500

/** Returns the handlers of the routes about functions. */
export function functionHandlers({
  invocationLog,
  functions,
  reloads,
  clock,
}: ConsoleContext): Pick<Handlers, 'functions' | 'functionSeries'> {
  const spanOf = ({ to = clock.wall() + 1, from = to - hour }: { from?: number; to?: number }) => {
    if (from < to) return { from, to }
    throw new ApiError(400, 'The span of time is empty: expected from before to.')
  }

  return {
    async functions({ query }) {
      const byName = new Map(functions.map(({ name }) => [name, collector()]))
      await invocationLog.scan(spanOf(query), (about, _started, duration) =>
        byName.get(about.functionName)?.add(about, duration),
      )
      return functions.map(({ name, most, timeout, memory, instances, started }) => ({
        ...{ name, most, timeout, memory },
        instances: instances(),
        coldStarts: started(),
        reloads: reloads(),
        ...byName.get(name)!.numbers(),
      }))
    },

    async functionSeries({ params, query }) {
      const { name } = found(
        functions.find(each => each.name === params.name),
        `function ${params.name}`,
      )
      const { from, to } = spanOf(query)
      const steps = Math.min(Math.max(query.steps ?? 60, 1), mostSteps)
      const step = (to - from) / steps
      const points = Array.from({ length: steps }, () => collector())
      await invocationLog.scan({ from, to, functionName: name }, (about, started, duration) =>
        points[Math.min(Math.floor((started - from) / step), steps - 1)]!.add(about, duration),
      )
      return {
        from,
        to,
        points: points.map((point, at) => ({
          at: from + at * step,
          ...point.numbers(),
          generation: point.generation(),
        })),
      }
    },
  }
}

/** Returns an object that collects invocations and computes their statistics. */
function collector() {
  const durations: number[] = []
  let errors = 0
  let warnings = 0
  let generation: number | undefined
  return {
    add(about: EntryAbout, duration: number) {
      durations.push(duration)
      if (about.severity === 'error') errors++
      if (about.severity === 'warning') warnings++
      if (generation === undefined || about.generation > generation) generation = about.generation
    },
    numbers() {
      const sorted = Float64Array.from(durations).sort()
      const quantile = (part: number) =>
        sorted.length === 0
          ? undefined
          : sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)]
      return {
        calls: sorted.length,
        ...{ errors, warnings },
        ...{ p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99) },
      }
    },
    generation: () => generation,
  }
}
