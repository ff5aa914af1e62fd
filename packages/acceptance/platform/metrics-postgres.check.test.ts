import { afterAll, beforeAll } from '@jest/globals'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
import { metricsSuite } from './testing/metrics-suite.ts'

const database = testServer()
const keys = ['SIGNALBOX_ACCESS_KEY', 'SIGNALBOX_USER_POOL_KEY']
beforeAll(() => {
  for (const name of keys) process.env[name] = Buffer.alloc(32, 7).toString('base64')
})
afterAll(() => {
  for (const name of keys) delete process.env[name]
})

metricsSuite(
  'PostgreSQL',
  number => ({ storage: { postgres: { url: database.server.url, schema: `metrics_${number}` } } }),
  ['statement', 'transaction', 'commit'],
)
