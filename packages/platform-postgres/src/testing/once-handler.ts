// #region handler
import { signalbox } from '@signalbox/core'
import { postgresStore } from '@signalbox/platform-postgres/store'
import { once, queue } from '@signalbox/queue'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 })
// Without this, a connection that breaks while it is idle ends the process. The pool opens another one.
pool.on('error', error => console.error(error.message))
const store = postgresStore(pool)

export const handler = signalbox(
  queue({
    onMessage: once({ store })(async ({ body }) => {
      console.log('Shipping', body)
    }),
  }),
)
// #endregion handler
