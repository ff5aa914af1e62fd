import type { HandlersOf } from '@signalbox/platform-runtime/console'
import type { api } from '../api/api.ts'

/** The routes that `openConsole` answers itself, because they set cookies. */
type SessionRoute = 'openSession' | 'session' | 'closeSession'

/** The handlers of the console's own routes. */
export type Handlers = HandlersOf<Omit<typeof api, SessionRoute>>
