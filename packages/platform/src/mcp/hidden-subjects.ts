import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'

const hidden = 'hidden, because seeing it needs the right to act'

/**
 * Returns a context whose invocation log hides the subjects of mails. A user pool can send codes in subjects, and functions
 * that decide on mail get them in their events. Which mails a user pool sent, only a running platform knows, so that all
 * subjects are hidden.
 */
export function withHiddenSubjects(context: CommandContext): CommandContext {
  const project: CommandContext['project'] = async source => {
    const found = await context.project(source)
    return { ...found, invocationLog: async () => readable(await found.invocationLog()) }
  }
  return Object.create(context, { project: { value: project } }) as CommandContext
}

type Log = Awaited<ReturnType<Awaited<ReturnType<CommandContext['project']>>['invocationLog']>>

function readable(log: Log): Log {
  return (
    log && {
      ...log,
      list: async query => (await log.list(query)).map(withoutSubject),
      async get(id) {
        const entry = await log.get(id)
        return entry && withoutSubject(entry)
      },
      async search(search) {
        const { entries, ...page } = await log.search(search)
        return { ...page, entries: entries.map(withoutSubject) }
      },
      trace: async traceId => (await log.trace(traceId)).map(withoutSubject),
    }
  )
}

function withoutSubject(entry: InvocationLogEntry): InvocationLogEntry {
  let event: unknown
  try {
    event = JSON.parse(entry.event)
  } catch {
    // Under overload, the log has a sentence instead of the event.
    return entry
  }
  if (typeof event !== 'object' || event === null || !('subject' in event)) return entry
  return { ...entry, event: JSON.stringify({ ...event, subject: hidden }) }
}
