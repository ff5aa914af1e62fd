import type { NewInvocationLogEntry } from '../invocation-log/entry.ts'
import { boundedNames } from '../metrics/bounded-names.ts'
import type { Meter } from '../metrics/meter.ts'
import type { StorageTime } from '../storage/commit-times.ts'

/** The number of functions with series of their own. */
const mostFunctions = 25

const durations = [0.01, 0.05, 0.1, 0.5, 1, 5, 30]
const commitDurations = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/** Returns a function that counts an invocation that is logged. */
export function invocationCounts(
  meter: Meter,
  functions: readonly string[],
): (entry: Pick<NewInvocationLogEntry, 'functionName' | 'failure' | 'duration'>) => void {
  const nameOf = boundedNames(functions, mostFunctions)
  const invocations = meter.counter(
    'signalbox_invocations_total',
    'Invocations by function and result: success, or why the function returned nothing.',
  )
  const duration = meter.histogram(
    'signalbox_invocation_duration_seconds',
    'Duration of invocations by function in seconds, with the time in which an event waits for an instance.',
    durations,
  )
  const countersOf = (name: string) => {
    const of = (result: string) => invocations.of({ function: name, result })
    return {
      success: of('success'),
      threw: of('threw'),
      unloadable: of('unloadable'),
      timeout: of('timeout'),
      crash: of('crash'),
      unavailable: of('unavailable'),
      took: duration.of({ function: name }),
    }
  }
  const counters = new Map(functions.map(nameOf).map(name => [name, countersOf(name)]))
  return ({ functionName, failure, duration: milliseconds }) => {
    const name = nameOf(functionName)
    let own = counters.get(name)
    if (own === undefined) {
      own = countersOf(name)
      counters.set(name, own)
    }
    own[failure?.kind ?? 'success']()
    own.took(milliseconds / 1000)
  }
}

/** Returns a function that counts how long the storage takes. */
export function storageTimes(meter: Meter): StorageTime {
  const duration = meter.histogram(
    'signalbox_storage_duration_seconds',
    'Duration of work of the storage in seconds: a transaction, a commit that waits for the disk, or one statement on a server.',
    commitDurations,
  )
  const series = {
    transaction: duration.of({ operation: 'transaction' }),
    commit: duration.of({ operation: 'commit' }),
    statement: duration.of({ operation: 'statement' }),
  }
  return (operation, seconds) => series[operation](seconds)
}
