import { afterEach, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { makeAccess } from '../access/access.ts'
import { systemRandom } from '../random.ts'
import { type Control, control } from './control.ts'
import { functionTokens } from './function-tokens.ts'
import { metricsApi } from './metrics-api.ts'

const records: object[] = []
const access = makeAccess(
  {
    identities: [
      {
        name: 'prometheus',
        keys: [{ accessKeyId: 'p', secretAccessKey: 'a-secret-of-the-scraper' }],
        rights: { metrics: { read: ['*'] } },
      },
    ],
  },
  {
    keys: () => undefined,
    clock: manualClock(0),
    operator: () => undefined,
    log: { add: record => records.push(record), read: async () => [], close: async () => {} },
  },
)
const tokens = functionTokens(systemRandom)
const authorization = 'Bearer p.a-secret-of-the-scraper'

let listener: Control
/** The number of requests that have been read. */
let asked = 0
afterEach(async () => {
  await listener.stop(0)
  records.length = 0
  asked = 0
})

async function started(collect: Parameters<typeof metricsApi>[0], notices: string[] = []) {
  const api = metricsApi(collect, text => notices.push(text))
  const answer: typeof api.answer = request => {
    asked++
    return api.answer(request)
  }
  const apis = [{ ...api, answer }]
  listener = control({ port: 0, host: '127.0.0.1', access, tokens, apis }, [])
  await listener.start()
  return (headers: Record<string, string>, path = '/metrics') =>
    fetch(`${listener.url()}${path}`, { headers })
}

it('the access log has refused requests for metrics, and not those that a scraper repeats', async () => {
  const ask = await started(async () => [])
  expect((await ask({ authorization })).status).toBe(200)
  expect(records).toEqual([])
  expect((await ask({ authorization: `Bearer ${tokens.of('shop')}` })).status).toBe(403)
  expect((await ask({})).status).toBe(401)
  expect(records).toMatchObject([
    { identity: 'function shop', resource: 'metrics', result: 'denied' },
    { result: 'no valid token' },
  ])
  expect(await (await ask({ authorization }, '/nothing')).text()).toContain('GET /metrics')
})

it('clients that ask for metrics at the same time share one reading, and a failure says nothing', async () => {
  let readings = 0
  let end = () => {}
  const notices: string[] = []
  const ask = await started(async () => {
    readings++
    await new Promise<void>(resolve => {
      end = resolve
    })
    throw new Error('hunter2')
  }, notices)
  const first = ask({ authorization })
  const second = ask({ authorization })
  while (asked < 2) await new Promise(setImmediate)
  end()
  const answers = await Promise.all([first, second])
  expect(answers.map(({ status }) => status)).toEqual([503, 503])
  expect(await answers[0]!.text()).toBe('The metrics cannot be read at the moment.\n')
  expect([readings, notices]).toEqual([1, ['Metrics could not be read: hunter2']])
})
