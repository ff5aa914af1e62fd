import type { api } from '../api/api.ts'
import type { InputOf, OutputOf } from '../api/route.ts'

type Table = typeof api

/** The routes that `openConsole` answers itself, because they set cookies. */
type SessionRoute = 'openSession' | 'session' | 'closeSession'

/** A handler for each route, which returns the value of the successful answer. */
export type Handlers = {
  readonly [Name in Exclude<keyof Table, SessionRoute>]: (
    input: InputOf<Table[Name]>,
  ) => OutputOf<Table[Name]>
}
