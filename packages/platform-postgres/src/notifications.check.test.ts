import { expect, it } from '@jest/globals'
import pg from 'pg'
import { openDatabase } from './database.ts'
import { notifications } from './notifications.ts'
import { testServer } from './testing/server-suite.ts'

const test = testServer()

it('the first notification is sent at once, and all topics of the pause after it share another one, which close() sends', async () => {
  const options = test.options()
  const heard = new pg.Client({ connectionString: options.url })
  await heard.connect()
  await heard.query(`listen "signalbox ${options.schema}"`)
  const payloads: (string | undefined)[] = []
  const received = (count: number) =>
    new Promise<void>(resolve => {
      heard.on('notification', () => payloads.length >= count && resolve())
    })
  heard.on('notification', ({ payload }) => payloads.push(payload))

  const database = openDatabase(options)
  const notes = notifications(options, database, 'platform', { pause: 2 ** 31 - 1 })
  const first = received(1)
  notes.notify('a')
  await first
  notes.notify('b')
  await database.query('select 1')
  await heard.query('select 1')
  notes.notify('c')
  const second = received(2)
  await notes.close()
  await database.close()
  await second
  expect(payloads).toEqual(['platform a', 'platform b c'])
  await heard.end()
})
