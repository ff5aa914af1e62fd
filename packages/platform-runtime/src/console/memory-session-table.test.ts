import { sessionTableSuite } from '../testing/suites/session-table-suite.ts'
import { memorySessionTable } from './memory-session-table.ts'

sessionTableSuite('the memory of a process', async clock => {
  const table = memorySessionTable(clock)
  return { open: async () => table, end: async () => {} }
})
