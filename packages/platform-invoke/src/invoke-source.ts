import type { OpenContext, Source } from '@signalbox/platform-runtime'
import type { InvokeSettings } from './config/invoke-part.ts'
import type { OpenInvokeApi } from './open-invoke-api.ts'
import { eventStorage } from './store/event-store.ts'

/** Runs the listener of the Invoke API and the asynchronous events. Their modules load only when the source starts. */
export function invokeSource(
  settings: InvokeSettings,
  context: OpenContext,
): Source & { readonly opened: () => OpenInvokeApi | undefined } {
  const { directory, engine, clock } = context
  const openQueue = async () =>
    engine === undefined
      ? (await import('./store/local-events.ts')).localEvents(directory.open('invoke'), clock.now())
      : (await engine()).opener(eventStorage)()
  let opened: OpenInvokeApi | undefined
  return {
    name: 'invoke',
    opened: () => opened,
    async start() {
      const { openInvokeApi } = await import('./open-invoke-api.ts')
      opened = await openInvokeApi(settings, await openQueue(), context)
      directory.announce({ invoke: opened.url })
      return { source: 'invoke', url: opened.url }
    },
    stop: async grace => opened?.stop(grace),
  }
}
