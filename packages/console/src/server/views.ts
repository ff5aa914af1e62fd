import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import type { ConsoleContext, ConsoleView } from '@signalbox/platform-runtime/console'
import { readableLog } from './readable-log.ts'
import { summaryOf } from './summary.ts'

/** What one of the two kinds of visitors sees. */
export interface View extends ConsoleView {
  readonly invocationLog: ConsoleContext['invocationLog']
  /** Returns an invocation as the visitor sees it. */
  readonly shown: (entry: InvocationLogEntry) => InvocationLogEntry
}

export interface Views {
  /** What visitors who may act see. */
  readonly actor: View
  /** What visitors who may only read see. */
  readonly reader: View
}

/** Returns the views of both kinds of visitors. */
export function viewsOf(context: ConsoleContext): Views {
  const { parts, families } = context
  const confidentialSenders = () => parts.flatMap(part => part.confidentialSenders?.() ?? [])
  const viewOf = (mayAct: boolean, shown: View['shown'], invocationLog: View['invocationLog']): View => ({
    ...{ mayAct, confidentialSenders, shown, invocationLog },
    async invocations(search) {
      const { entries, before } = await invocationLog.search(search)
      const known = await families()
      return { invocations: entries.map(entry => summaryOf(entry, known)), before }
    },
  })
  const readable = (entry: InvocationLogEntry) =>
    parts.reduce(
      (shown, { readableInvocation }) => readableInvocation?.(shown, confidentialSenders) ?? shown,
      entry,
    )
  return {
    actor: viewOf(true, entry => entry, context.invocationLog),
    reader: viewOf(false, readable, readableLog(context.invocationLog, readable)),
  }
}
