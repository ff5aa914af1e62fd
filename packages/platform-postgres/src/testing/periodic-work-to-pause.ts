// A platform that begins periodic work, and reports that it has begun. When its parent process tells it to continue, it
// runs the next statement of the work, and reports the code of its error.
import { once } from 'node:events'
import { openDatabase } from '../database.ts'
import { periodicWork } from '../periodic-work.ts'

const [url, schema, idle] = process.argv.slice(2) as [string, string, string]
const database = openDatabase({ url, schema, connections: 2 })
const stop = periodicWork(database, { idle: Number(idle) }).onePlatform('work', 50, async query => {
  await query('insert into steps (platform) values ($1)', ['paused'])
  process.send!('begun')
  await once(process, 'message')
  const late = query('insert into steps (platform) values ($1)', ['late'])
  process.send!(await late.catch((error: { readonly code?: unknown }) => error.code))
  process.disconnect()
  void stop()
  void database.close()
})
// The timer of periodic work does not keep the process running.
process.on('message', () => {})
