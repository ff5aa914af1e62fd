import type { Clock } from '@signalbox/core/base'
import * as t from 'io-ts'
import { ApiError } from '../console/api-error.ts'
import { wholeNumber } from '../console/whole-number.ts'
import { type TestPart, testRoute } from '../control/test-part.ts'
import type { InvocationLogEntry } from '../invocation-log/entry.ts'
import type { InvocationLog } from '../invocation-log/invocation-log.ts'
import { unknownName } from '../unknown-name.ts'

/** The maximum number of entries that one request reads. */
const mostRead = 1000

/** The longest time that a request waits for an invocation, in seconds. */
const longestWait = 60

interface Filters {
  readonly function?: string
  readonly source?: string
  readonly verdict?: string
  readonly after?: number
  readonly last?: number
}

/**
 * The invocation log in the test interface. A reset deletes nothing: what was called before is no longer listed, and
 * `signalbox log` and the console still have it.
 */
export function invocationTests(
  log: Pick<InvocationLog, 'list' | 'watch'>,
  functionNames: readonly string[],
  clock: Pick<Clock, 'after'>,
): TestPart {
  let since = 0
  const find = async ({ function: functionName, source, verdict, after = 0, last = 100 }: Filters) => {
    const entries = await log.list({
      after: Math.max(since, after),
      last: mostRead,
      ...(functionName !== undefined && { functionName }),
    })
    return entries
      .filter(
        each =>
          (source === undefined || each.source === source) &&
          (verdict === undefined || each.verdict?.kind === verdict),
      )
      .slice(-Math.min(last, mostRead))
      .map(seen)
  }

  return {
    name: 'invocations',
    routes: [
      testRoute(
        'GET',
        '/invocations',
        {
          function: t.string,
          source: t.string,
          verdict: t.string,
          after: wholeNumber,
          last: wholeNumber,
          wait: wholeNumber,
        },
        async ({ fields: { wait = 0, ...filters } }) => {
          if (filters.function !== undefined && !functionNames.includes(filters.function))
            throw new ApiError(404, unknownName('function', filters.function, functionNames))
          if (wait > longestWait)
            throw new ApiError(400, `Field wait in the query: expected at most ${longestWait} seconds.`)
          const found = await find(filters)
          return found.length > 0 || wait === 0 ? found : waitFor(filters, wait)
        },
      ),
    ],
    async reset() {
      const [latest] = await log.list({ last: 1 })
      since = latest?.id ?? 0
    },
  }

  /** Returns the entries as soon as there is one, and none after `wait` seconds. */
  async function waitFor(filters: Filters, wait: number) {
    let isOver = false
    let wake = () => {}
    const cancel = clock.after(wait * 1000, () => {
      isOver = true
      wake()
    })
    let hasNews = false
    const unwatch = log.watch(() => {
      hasNews = true
      wake()
    })
    try {
      for (;;) {
        hasNews = false
        const found = await find(filters)
        if (found.length > 0 || isOver) return found
        if (!hasNews && !isOver)
          await new Promise<void>(resolve => {
            wake = resolve
          })
      }
    } finally {
      unwatch()
      cancel()
    }
  }
}

/** Returns an entry for tests, with event and payload as JSON values where they are JSON. */
function seen({ functionName, event, payload, failure, verdict, logs, ...entry }: InvocationLogEntry) {
  return {
    id: entry.id,
    requestId: entry.requestId,
    function: functionName,
    source: entry.source,
    family: entry.family ?? null,
    attempt: entry.attempt,
    started: entry.started,
    duration: entry.duration,
    verdict: verdict ?? null,
    failure: failure ?? null,
    event: jsonValue(event),
    payload: jsonValue(payload),
    logs,
    masked: entry.masked,
  }
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
