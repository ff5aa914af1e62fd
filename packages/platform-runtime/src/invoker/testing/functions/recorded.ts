// A function that records in a file when it begins and ends each event, and meanwhile does what the event requests.
import { appendFileSync } from 'node:fs'
import { handler as faulty } from './faulty.ts'
import { handler as hostile } from './hostile.ts'

export async function handler(
  event: Parameters<typeof faulty>[0] & Parameters<typeof hostile>[0] & { readonly file: string },
  context: object,
): Promise<unknown> {
  const record = (what: string) => appendFileSync(event.file, `${process.pid} ${what} ${event.id}\n`)
  record('begins')
  try {
    return await (event.do.startsWith('hostile ')
      ? hostile({ ...event, do: event.do.slice('hostile '.length) })
      : faulty(event, context))
  } finally {
    record('ends')
  }
}
