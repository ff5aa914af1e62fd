import type { OpenContext, Source } from '@signalbox/platform-runtime'
import type { InvokeSettings } from './config/invoke-part.ts'
import type { OpenInvokeApi } from './open-invoke-api.ts'
import { eventStorage } from './store/event-store.ts'
import { executionStorage } from './store/execution-store.ts'

/** Runs the listener of the Invoke API and the asynchronous events. Their modules load only when the source starts. */
export function invokeSource(
  settings: InvokeSettings,
  context: OpenContext,
): Source & {
  readonly opened: () => OpenInvokeApi | undefined
  /** Resolves when the source has started. Other sources may receive events before. */
  readonly whenOpen: Promise<OpenInvokeApi>
} {
  const { directory, engine, clock, environment } = context
  const isDurable = settings.functions.some(({ durable }) => durable !== undefined)
  const openExecutionStore = async () =>
    engine === undefined
      ? (await import('./store/sqlite/local-executions.ts')).localExecutions(
          directory.open('executions'),
          clock.now(),
        )
      : (await engine()).opener(executionStorage)()
  const point = (url: string) => {
    if (isDurable) environment.AWS_ENDPOINT_URL_LAMBDA = url
  }
  // Functions that are loaded before the start know the address if the configuration has it.
  const { port, host, tls } = settings
  if (port !== 0) point(`${tls === undefined ? 'http' : 'https'}://${reachable(host)}:${port}`)
  const openQueue = async () =>
    engine === undefined
      ? (await import('./store/local-events.ts')).localEvents(directory.open('invoke'), clock.now())
      : (await engine()).opener(eventStorage)()
  let opened: OpenInvokeApi | undefined
  let tellOpened = (_: OpenInvokeApi) => {}
  const whenOpen = new Promise<OpenInvokeApi>(resolve => {
    tellOpened = resolve
  })
  return {
    name: 'invoke',
    opened: () => opened,
    whenOpen,
    async start() {
      const { openInvokeApi } = await import('./open-invoke-api.ts')
      opened = await openInvokeApi(
        settings,
        { queue: await openQueue(), executions: isDurable ? await openExecutionStore() : undefined },
        context,
        url => {
          if (port === 0) point(url)
        },
      )
      directory.announce({ invoke: opened.url })
      tellOpened(opened)
      return { source: 'invoke', url: opened.url }
    },
    stop: async grace => opened?.stop(grace),
  }
}

/** Returns the address at which this machine reaches a listener. */
const reachable = (host: string): string =>
  ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
