import type { SourceContext } from '@signalbox/platform-runtime'

/** The events of mails that functions are processing. */
export interface RunningEvents {
  /** Sends an event to a function, and remembers it until the function responds. */
  readonly dispatch: SourceContext['dispatch']
  /** Returns whether a function is processing an event of a mail. */
  readonly has: (functionName: string, mailId: string) => boolean
}

export function runningEvents(dispatch: SourceContext['dispatch']): RunningEvents {
  const counts = new Map<string, number>()
  const nameOf = (functionName: string, mailId: unknown) => `${functionName} ${String(mailId)}`
  return {
    async dispatch(request) {
      const { messageId } = (request.event ?? {}) as { readonly messageId?: unknown }
      const name = nameOf(request.functionName, messageId)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      try {
        return await dispatch(request)
      } finally {
        const left = counts.get(name)! - 1
        if (left === 0) counts.delete(name)
        else counts.set(name, left)
      }
    },
    has: (functionName, mailId) => counts.has(nameOf(functionName, mailId)),
  }
}
