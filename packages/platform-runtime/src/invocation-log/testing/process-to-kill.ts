// Logs invocations until it is killed, and sends the id of each that was written.
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@signalbox/core/base'
import { localInvocationLog } from '../sqlite/local-invocation-log.ts'
import { loggedEntry } from './logged-entry.ts'

const log = localInvocationLog(new DatabaseSync(process.argv[2]!), {
  limits: { size: 1e9, age: 1e15 },
  clock: systemClock,
  notice: text => process.send!(text),
  onWritten: ({ id }) => process.send!(id),
})
let appended = 0
setInterval(() => {
  for (let i = 0; i < 20; i++) log.append({ ...loggedEntry, requestId: `r-${++appended}` })
}, 1)
