import { entryProblems, type InvocationLogEntry, isEventOmitted } from '@signalbox/platform-runtime'
import {
  ApiError,
  type ConsoleContext,
  type ConsoleFunction,
  found,
  type InvocationFilters,
} from '@signalbox/platform-runtime/console'
import { readChain, severityOf, traceOf } from '@signalbox/platform-runtime/invocation-log'
import type { Handlers } from './handlers.ts'
import { type Related, storyOf } from './story.ts'
import { summaryOf } from './summary.ts'
import type { View } from './views.ts'

/** The maximum number of invocations on a page of the list. */
const mostListed = 200

/** Returns the handlers of the routes about invocations. */
export function invocationHandlers(
  { families, functions, parts, invoke }: ConsoleContext,
  view: View,
): Pick<Handlers, 'overview' | 'invocations' | 'invocation' | 'invoke'> {
  const { invocationLog } = view
  const entryOf = async (id: string | number) =>
    found(
      /^\d{1,15}$/.test(String(id)) ? await invocationLog.get(Number(id)) : undefined,
      `invocation #${id}`,
    )

  const sent = async (name: string, event: unknown, source: string) => {
    try {
      return await invoke(name, event, { source })
    } catch (error) {
      // An event is sent as JSON, and JSON.stringify needs the stack for each level, unlike JSON.parse.
      if (!(error instanceof RangeError)) throw error
      throw new ApiError(400, 'The event is nested too deeply to be sent.')
    }
  }

  return {
    async overview() {
      const sources = new Set<string>()
      const verdicts = new Set<string>()
      const familiesOf = new Map(functions.map(each => [each.name, new Set(each.families)]))
      await invocationLog.scan({ from: 0, to: Number.MAX_SAFE_INTEGER }, about => {
        const { source, verdict, functionName, family } = about
        sources.add(source)
        if (family !== undefined) familiesOf.get(functionName)?.add(family)
        if (verdict !== undefined) verdicts.add(verdict.kind)
      })
      return {
        functions: functions.map(({ name }) => name),
        families: (await families()).all.map(({ name }) => name),
        familiesOf: Object.fromEntries([...familiesOf].map(([name, own]) => [name, [...own]])),
        sources: [...sources].sort(),
        verdicts: [...verdicts].sort(),
      }
    },

    invocations({ query: { before, last = 50, ...filters } }) {
      return view.invocations({
        ...filtersOf(filters),
        before,
        last: Math.min(Math.max(last, 1), mostListed),
      })
    },

    async invocation({ params }) {
      const entry = await entryOf(params.id)
      const known = await families()
      const { event, payload, logs } = entry
      const { related, ofSources } = await storyOf(entry, view, parts)
      const steps = await readChain(invocationLog, entry)
      const relationOf = ({ entry: each, by, id }: Related) => ({
        invocation: summaryOf(each, known),
        by,
        id,
      })
      return {
        ...ofSources,
        invocation: summaryOf(entry, known),
        ...{ event, payload, logs, isEventOmitted: isEventOmitted(event) },
        eventInDialect: eventInDialect(
          entry,
          functions.find(({ name }) => name === entry.functionName),
        ),
        ...entryProblems(entry, known),
        ledFrom: related.filter(each => each.entry.id < entry.id).map(relationOf),
        ledTo: related.filter(each => each.entry.id > entry.id).map(relationOf),
        trace:
          steps.length < 2
            ? undefined
            : {
                id: traceOf(entry),
                steps: steps.map(({ entry: each, ...step }) => ({
                  ...step,
                  invocation: summaryOf(each, known),
                })),
              },
      }
    },

    async invoke({ body }) {
      const { name, event, source } =
        'again' in body
          ? againOf(await entryOf(body.again))
          : { name: body.function, event: body.event, source: 'console' }
      found(
        functions.find(each => each.name === name),
        `function ${name}`,
      )
      const { requestId, payload, failure, verdict, logs, duration } = await sent(name, event, source)
      const { entries } = await invocationLog.search({ requestId, last: 1 })
      const severity = severityOf({ verdict, failure, logs })
      return { ...{ requestId, payload, failure, logs, duration }, verdict, severity, id: entries[0]?.id }
    },
  }
}

/** Returns the event as the function got it. Returns undefined for a function that gets it in the contract's names. */
function eventInDialect(
  { event }: InvocationLogEntry,
  of: Pick<ConsoleFunction, 'dialect'> | undefined,
): string | undefined {
  if (of?.dialect === undefined || isEventOmitted(event)) return undefined
  try {
    return JSON.stringify(of.dialect.event(JSON.parse(event))) ?? 'null'
  } catch {
    // Users can write dialects, which may throw an error, as they did when the function was called.
    return undefined
  }
}

/** Converts the filters of a query to filters of the invocation log. */
export function filtersOf({
  function: functions,
  source: sources,
  family: families,
  verdict: verdicts,
  severity: severities,
  ...rest
}: {
  readonly function?: readonly string[]
  readonly source?: readonly string[]
  readonly family?: readonly string[]
  readonly verdict?: readonly string[]
  readonly severity?: InvocationFilters['severities']
  readonly requestId?: string
  readonly text?: string
  readonly from?: number
  readonly to?: number
}) {
  return { functions, sources, families, verdicts, severities, ...rest }
}

/** Returns the function and the event of a logged invocation, to send the event again. */
function againOf({ id, functionName: name, event }: InvocationLogEntry) {
  if (isEventOmitted(event))
    throw new ApiError(400, `The log did not keep the event of #${id}, because too many came at once.`)
  return { name, event: JSON.parse(event) as unknown, source: `console, again #${id}` }
}
