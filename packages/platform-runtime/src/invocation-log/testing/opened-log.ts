import type { InvocationLogQuery } from '../entry.ts'
import type { InvocationLog } from '../invocation-log.ts'
import type { logOptions } from './logged-entry.ts'

/** Opens a log that is closed after the test. */
export type OpenLog = (options?: Parameters<typeof logOptions>[0]) => Promise<InvocationLog>

/** Returns the ids of the entries that a query finds. */
export const idsOf = async (log: InvocationLog, query?: InvocationLogQuery) =>
  (await log.list(query)).map(({ id }) => id)
