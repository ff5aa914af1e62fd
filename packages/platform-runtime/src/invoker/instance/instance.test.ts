import { afterAll, describe, expect, it } from '@jest/globals'
import { testInvoker } from '../testing/process-test-invoker.ts'
import { frameBytes } from './frame.ts'
import { descriptors } from './instance-message.ts'

const notices: string[] = []
const shop = testInvoker({
  module: new URL('../testing/functions/hostile.ts', import.meta.url).href,
  timeout: 100_000,
  memory: 128,
  notice: text => void notices.push(text),
})
afterAll(shop.stop)

const answer = async (event: object) => JSON.parse((await shop.invoke(event)).payload) as unknown
const { tasks, messages, lifeline } = descriptors
const broken = /^shop broke its channel to the platform: /
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
const written = (bytes: Uint8Array | string, descriptor: number = messages) => ({
  do: 'write',
  descriptor,
  bytes: base64(bytes),
})

interface Attack {
  readonly [field: string]: unknown
  readonly limit?: number
}

const limit = 600
const longText = frameBytes('long-text', 1, '"body"\n{"body":""}\nHello')
const timedOut = /^shop timed out after 600 ms$/

describe('hostile functions', () => {
  it.each<[string, Attack, RegExp | object]>([
    ['calls process.send()', { do: 'send' }, /own\.send is not a function/],
    ['calls process._send()', { do: '_send' }, /own\._send is not a function/],
    ['calls process.disconnect()', { do: 'disconnect' }, /process\.disconnect is not a function/],
    ['writes garbage to its channel', written('garbage, garbage, garbage'), broken],
    ['announces a frame of 4 GB', written(Buffer.alloc(16, 0xff)), broken],
    ['writes a frame of an unknown kind', written(Buffer.from([0, 0, 0, 0, 200, 0, 0, 0, 0])), broken],
    [
      'writes a truncated frame',
      { ...written(frameBytes('result', 1, 'x'.repeat(500)).subarray(0, 40)), limit },
      timedOut,
    ],
    ['writes JSON with a wrong shape', written('{"kind":"log","text":null}\n'), broken],
    ['reports a failure without a message', written(frameBytes('failed', 1, '7\n{}')), broken],
    ['sends a long text for a caller that needs JSON', written(longText), broken],
    ['reports a second time that it is loaded', written(frameBytes('ready', 0, '')), broken],
    ['reports too late that it cannot be loaded', written(frameBytes('unloadable', 0, '')), broken],
    ['sends an event to the platform', written(frameBytes('task', 1, '{}')), broken],
    ['writes to its channel without end', { do: 'endless', descriptor: messages }, broken],
    ['answers an earlier event', { ...written(frameBytes('result', 0, '7')), id: 1 }, { id: 1 }],
    ['answers a later event', { ...written(frameBytes('result', 2, '7')), id: 2 }, { id: 2 }],
    [
      'writes its own answer and then garbage',
      written(Buffer.concat([frameBytes('result', 1, '{"id":5}'), Buffer.from('garbage')])),
      { id: 5 },
    ],
    ['writes to the pipe from which it gets its events', { ...written('x', tasks), id: 3 }, { id: 3 }],
    ['writes to the lifeline', { ...written('x', lifeline), id: 4 }, { id: 4 }],
    ['closes the pipe from which it gets its events', { do: 'close', descriptor: tasks }, broken],
    ['closes its channel', { do: 'close', descriptor: messages }, broken],
    ['closes all handles', { do: 'handles' }, /^shop (broke its channel|was killed by SIGKILL)/],
    ['replaces methods of process', { do: 'emit', limit }, /^shop (died|broke|exited|timed out)/],
    ['loops forever while it exits', { do: 'exit', limit }, timedOut],
    ['patches JSON', { do: 'json' }, { patched: true }],
    ['patches arrays', { do: 'arrays', limit }, /^shop (died|exited|timed out)/],
    ['throws a proxy that throws', { do: 'proxy' }, /^an error without a description$/],
    ['throws a revoked proxy', { do: 'revoked' }, /^an error without a description$/],
    ['returns a thenable that throws', { do: 'thenable' }, /^Error: trap$/],
    ['writes hundreds of megabytes', { do: 'megabytes' }, { written: true }],
    [
      'forks a process that sends to its parent',
      { do: 'forked' },
      { message: { kind: 'result', payload: 7 } },
    ],
  ])('a function that %s does not affect the next event', async (_what, event, expected) => {
    // The reload starts a new process, so the next event is the first task of its process.
    shop.reload()
    const { failure, payload } = await shop.invoke(event, event.limit)
    if (expected instanceof RegExp) expect(failure?.message).toMatch(expected)
    else expect({ failure, value: JSON.parse(payload) }).toEqual({ failure: undefined, value: expected })
    expect(await answer({ do: 'echo', id: 'next' })).toMatchObject({ id: 'next' })
    expect(shop.instances()).toBe(1)
  })

  it('a function that deletes globals does not affect the next event', async () => {
    shop.reload()
    await shop.invoke({ do: 'globals' }, limit)
    // The function might have broken its own process, but no other instance is affected.
    shop.reload()
    expect(await answer({ do: 'echo', id: 'next' })).toMatchObject({ id: 'next' })
  })
})

describe('a result with a long text', () => {
  const body = '"Ä\\\n'.repeat(5000)
  const call = (event: object) =>
    shop.invoker.invoke({ event: JSON.stringify(event), requestId: 'r-1', takesValue: true })

  it('arrives as a value if the caller takes it, and as JSON otherwise', async () => {
    const { payload } = await shop.invoke({ do: 'echo', text: body })
    expect(JSON.parse(payload)).toMatchObject({ text: body })
    const result = await call({ do: 'echo', text: body })
    expect(result.value).toEqual(JSON.parse(payload))
    expect(JSON.parse(result.payload)).toMatchObject({
      text: `${body.slice(0, 1024)}… (the first of ${body.length} characters)`,
    })
  })

  it('arrives as JSON if it is not a plain value', async () => {
    const { value, payload } = await call({ do: 'echo', text: `${body}\ud800` })
    expect(value).toBeUndefined()
    expect(JSON.parse(payload)).toMatchObject({ text: `${body}\ud800` })
  })

  it.each(['', 'null\n\n', '"body"\n{"body":7}\nHello'])(
    'that is malformed breaks the channel, but does not affect the next event (%j)',
    async text => {
      shop.reload()
      const { failure } = await call(written(frameBytes('long-text', 1, text)))
      expect(failure?.message).toMatch(broken)
      expect(await answer({ do: 'echo', id: 'next' })).toMatchObject({ id: 'next' })
    },
  )
})

describe('late output', () => {
  const heading = { stream: 'out', text: '(after the answer to r-1:)' }
  const inMode = (mode: string) => {
    const before = process.env.NODE_ENV
    process.env.NODE_ENV = mode
    return {
      [Symbol.dispose]() {
        process.env.NODE_ENV = before
      },
    }
  }

  it('a late log line stands behind those of the next event, and a notice in development shows the first', async () => {
    for (const mode of ['development', 'production']) {
      using _ = inMode(mode)
      shop.reload()
      notices.length = 0
      await shop.invoke({ do: 'late logs' })
      const { logs } = await shop.invoke({ do: 'wait' })
      expect(logs.slice(0, 2)).toEqual([{ stream: 'out', text: 'waited' }, heading])
      expect(logs.slice(2).map(({ text }) => text)).toEqual(['late', 'late', 'late', 'late'])
      expect((await shop.invoke({ do: 'echo' })).logs).toEqual([])
      expect(notices).toEqual(
        mode === 'production'
          ? []
          : [expect.stringMatching(/^shop went on after its answer to r-1 and wrote: late\nAwait that work/)],
      )
    }
  })

  it('late output hides what is secret in its own event', async () => {
    using _ = inMode('development')
    shop.reload()
    notices.length = 0
    await shop.invoke({ do: 'late text', text: 'it is tr0ub4dor', password: 'tr0ub4dor' })
    const { logs } = await shop.invoke({ do: 'wait' })
    expect(logs.slice(1)).toEqual([heading, { stream: 'out', text: expect.stringMatching(/^it is .+/) }])
    expect(JSON.stringify([logs, notices])).not.toContain('tr0ub4dor')
  })

  it('output of code that belongs to no event stands in the log of the next event, without a notice', async () => {
    using _ = inMode('development')
    shop.reload()
    notices.length = 0
    await shop.invoke({ do: 'tick' })
    const { logs } = await shop.invoke({ do: 'wait' })
    expect(logs).toContainEqual({ stream: 'out', text: '(outside of an event:)' })
    expect(logs).toContainEqual({ stream: 'out', text: 'tick' })
    expect(notices).toEqual([])
  })

  it.each(['late error', 'late rejection'])(
    'a %s does not fail the next event, and the instance is replaced',
    async what => {
      shop.reload()
      notices.length = 0
      const before = (await answer({ do: 'echo' })) as { process: number }
      await shop.invoke({ do: what })
      const { failure, payload, logs } = await shop.invoke({ do: 'wait', id: 1 })
      const stack = { stream: 'err', text: expect.stringMatching(/^Error: late/) }
      expect({ failure, logs }).toEqual({
        failure: undefined,
        logs: [{ stream: 'out', text: 'waited' }, heading, stack],
      })
      expect(JSON.parse(payload)).toEqual({ id: 1, process: before.process })
      expect(await answer({ do: 'echo', id: 2 })).not.toMatchObject({ process: before.process })
      expect(notices).toEqual([expect.stringMatching(/^An uncaught error in shop .* Error: late$/)])
    },
  )
})

it('an instance captures output that a logger writes directly to a file descriptor', async () => {
  expect((await shop.invoke({ do: 'descriptors' })).logs).toEqual([
    { stream: 'out', text: 'sync out' },
    { stream: 'err', text: 'sync err' },
    { stream: 'out', text: 'async out' },
  ])
})

it('an instance keeps a limited number of log lines for each event', async () => {
  expect((await shop.invoke({ do: 'lines' })).logs.length).toBeLessThan(20_000)
})
