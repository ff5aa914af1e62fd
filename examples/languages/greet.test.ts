import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createPlatform, type InvocationLogEntry } from '@signalbox/platform'
import { describeWith } from '@signalbox/platform-runtime/testing/installed-program'

describeWith(['bash', 'curl'], describe, 'a function in bash for HTTP', () => {
  const seen: InvocationLogEntry[] = []
  const platform = createPlatform(
    {
      functions: {
        greet: {
          command: ['bash', '../../packages/platform/languages/shell/runtime.sh'],
          export: 'greet.handler',
          dialect: 'aws',
        },
      },
      loadBalancers: { web: { port: 0, function: 'greet' } },
      dataDir: ':memory:',
    },
    { root: import.meta.dirname, onInvocation: entry => seen.push(entry) },
  )
  let url = ''
  beforeAll(async () => {
    url = (await platform.start())[0]!.url
  })
  afterAll(() => platform.stop())

  it.each([
    ['GET', '/hello/Ada', 200, { hello: 'Ada' }],
    ['GET', '/hello/Z%C3%BCrich?path=/x', 200, { hello: 'Z%C3%BCrich' }],
    ['GET', '/other?path=/hello/Eve', 404, { message: 'Not found' }],
    ['POST', '/hello/Ada', 404, { message: 'Not found' }],
  ])(
    'answers %s %s with %d',
    async (method, path, status, body) => {
      const response = await fetch(url + path, {
        method,
        ...(method === 'POST' && { body: 'x'.repeat(500_000) }),
      })
      expect([response.status, await response.json()]).toEqual([status, body])
    },
    60_000,
  )

  it('has its log with the invocation', () => {
    expect(seen[0]!.logs).toEqual([{ stream: 'err', text: 'said hello to Ada' }])
  })
})
