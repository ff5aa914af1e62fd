import { ApiError, type ConsolePart, found, RefusedError } from '@signalbox/platform-runtime/console'
import type { InvokeSettings } from '../config/invoke-part.ts'
import { UnknownExecutionError } from '../executions/awaited-executions.ts'
import { executionArn } from '../executions/execution-arn.ts'
import { CallbackClosedError, type Executions } from '../executions/executions.ts'
import { InvalidChangeError } from '../executions/update-problem.ts'
import type { OpenInvokeApi } from '../open-invoke-api.ts'
import { type ExecutionSummary, executionLimits, type HistoryEvent, hasEnded } from '../store/execution.ts'
import { executionRoutes } from './execution-routes.ts'
import { detailsOf, shownText, storyOf } from './execution-story.ts'

/** The number of executions in a list that names no number, and the maximum. */
const listed = 50
const mostListed = 200

/** The first events of an execution, of which a story is made. */
const storyPage = { after: undefined, limit: 2000, bytes: executionLimits.page, newestFirst: false }

/** The events in one answer. */
const historyPage = { limit: 100, bytes: executionLimits.page, newestFirst: false }

type Part = ConsolePart<typeof executionRoutes>

/** The page of executions. */
export const executionPages = [
  {
    name: 'executions',
    title: 'Executions',
    wrong: 'Failed executions of the last hour',
    sign: 'M3 3h3v3H3zM10 10h3v3h-3zM4.500 6v5.500h5.500M3 8.500h3',
  },
] as const satisfies ConsolePart['pages']

/**
 * Returns what durable functions bring to the console.
 * @param used undefined for a configuration without durable functions
 */
export function executionConsole(
  used: { readonly settings: InvokeSettings; readonly opened: () => OpenInvokeApi | undefined } | undefined,
): Part {
  const durable =
    used?.settings.functions.filter(each => each.durable !== undefined).map(each => each.functionName) ?? []
  const executions = (): Executions => {
    found(durable[0], 'durable function: the configuration has none')
    const { allExecutions } = used?.opened() ?? {}
    if (allExecutions === undefined) throw new RefusedError('The platform has not started its executions.')
    return allExecutions
  }
  const read = async (id: string) => found(await executions().store.read(id), `execution ${id}`)

  return {
    name: 'executions',
    isUsed: durable.length > 0,
    pages: executionPages,
    routes: executionRoutes,
    async wrong(since) {
      const { allExecutions } = used?.opened() ?? {}
      const lists = await Promise.all(
        durable.map(functionName =>
          allExecutions?.store.list({
            ...{ functionName, newestFirst: true, after: undefined, limit: mostListed },
            statuses: ['FAILED', 'TIMED_OUT'],
          }),
        ),
      )
      return lists.flat().filter(each => each?.endedAt !== undefined && each.endedAt >= since).length
    },
    handlers: ({ mayAct }) => ({
      async executions({ query: { function: name, status, last = listed } }) {
        if (durable.length === 0) return []
        if (name !== undefined && !durable.includes(name))
          throw new ApiError(404, `There is no durable function ${name}.`)
        const lists = await Promise.all(
          (name === undefined ? durable : [name]).map(functionName =>
            executions().store.list({
              ...{ functionName, newestFirst: true, after: undefined, limit: Math.min(last, mostListed) },
              ...(status !== undefined && { statuses: [status] }),
            }),
          ),
        )
        const all = lists.flat().sort((one, other) => other.startedAt - one.startedAt)
        return all.slice(0, Math.min(last, mostListed)).map(shown)
      },
      async execution({ params: { id } }) {
        const execution = await read(id)
        const { result, error, retryAt, code } = execution
        const { events } = await executions().store.history(id, storyPage)
        return {
          execution: shown(execution),
          arn: executionArn(execution, used!.settings.location),
          ...storyOf(events, { mayAct, hasEnded: hasEnded(execution) }),
          ...{ result: shownText(result), error: shownText(error), retryAt },
          codeChangedAt: code?.changedAt,
          isCut: events.length < execution.events,
        }
      },
      async executionHistory({ params: { id }, query: { after } }) {
        await read(id)
        const { events } = await executions().store.history(id, { after, ...historyPage })
        return events.map(event => ({
          ...{ id: event.EventId, at: event.EventTimestamp, type: event.EventType, name: event.Name },
          details: shownText(withoutCallbackId(event, mayAct))!,
        }))
      },
      async stopExecution({ params: { id }, body: { reason } }) {
        if ((await read(id)).status !== 'RUNNING') throw new RefusedError('The execution has ended before.')
        await executions().stopExecution(id, reason === undefined ? undefined : { ErrorMessage: reason })
      },
      async endCallback({ params: { id }, body }) {
        try {
          await executions().endCallback(
            id,
            'result' in body
              ? { payload: body.result || undefined }
              : { error: { ErrorMessage: body.error } },
          )
        } catch (error) {
          if (error instanceof UnknownExecutionError) throw new ApiError(404, error.message)
          if (error instanceof CallbackClosedError || error instanceof InvalidChangeError)
            throw new RefusedError(error.message)
          throw error
        }
      },
    }),
  }
}

const shown = ({ id, functionName, name, status, startedAt, endedAt }: ExecutionSummary) => ({
  ...{ id, functionName, name, status, startedAt, endedAt },
})

/** Returns the details of an event. Who knows the id of a callback may end it, so only visitors who may act see it. */
function withoutCallbackId(event: HistoryEvent, mayAct: boolean): object {
  const details = detailsOf(event)
  return mayAct || details.CallbackId === undefined ? details : { ...details, CallbackId: 'hidden' }
}
