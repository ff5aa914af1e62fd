import { memorySessionTable } from './memory-session-table.ts'
import { sessionTableSuite } from './testing/session-table-suite.ts'

sessionTableSuite('the memory of a process', async clock => {
  const table = memorySessionTable(clock)
  return { open: async () => table, end: async () => {} }
})
