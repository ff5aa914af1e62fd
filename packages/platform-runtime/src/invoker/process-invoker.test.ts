import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { idleLimit } from './process-invoker.ts'
import { testInvoker } from './testing/process-test-invoker.ts'

const read = (result: { readonly payload: string }) => JSON.parse(result.payload)
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('processInvoker()', () => {
  it('runs the function in a process with its own environment and folder', async () => {
    using folder = temporaryFolder()
    await using shop = testInvoker({ env: { SHOP: 'open' }, folder: folder.path })
    const result = await shop.invoke({ do: 'answer' })
    expect(read(result)).toMatchObject({
      event: { do: 'answer' },
      env: 'open',
      folder: expect.stringContaining('signalbox-test-'),
      // The function cannot send messages to the platform with process.send().
      send: 'undefined',
    })
    expect(read(result).process).not.toBe(process.pid)
    expect(await shop.invoke({ do: 'nothing' })).toMatchObject({ payload: '' })
  })

  it('fails only the call when no process can be started', async () => {
    await using shop = testInvoker({ env: { SHOP: 'x'.repeat(200_000) } })
    for (const _ of [1, 2])
      expect(await shop.invoke({ do: 'answer' })).toMatchObject({
        failure: { kind: 'crash', message: 'shop has no process: spawn E2BIG' },
      })
    expect(shop.instances()).toBe(0)
  })

  it('passes a context to the function', async () => {
    await using shop = testInvoker({ timeout: 2000 })
    const { left, untilDeadline, ...rest } = read(await shop.invoke({ do: 'context' }, 1500))
    expect(rest).toEqual({ functionName: 'shop', requestId: 'r-1' })
    for (const time of [left, untilDeadline]) {
      expect(time).toBeGreaterThan(500)
      expect(time).toBeLessThanOrEqual(1500)
    }
  })

  it('fails only the event whose context is nested too deeply to be sent, whether its instance is starting, idle or busy', async () => {
    await using shop = testInvoker()
    const context = { clientContext: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) }
    const deep = () => shop.invoker.invoke({ event: '{"do":"answer"}', requestId: 'deep', context })
    const failed = {
      failure: { kind: 'threw', message: expect.stringContaining('its event cannot be sent: RangeError') },
    }
    const starting = [shop.invoke({ do: 'answer' }), deep()]
    expect(await Promise.all(starting)).toMatchObject([{ payload: expect.any(String) }, failed])
    expect(await deep()).toMatchObject(failed)
    const busy = [shop.invoke({ do: 'wait', ms: 100 }), deep(), shop.invoke({ do: 'answer' })]
    expect(await Promise.all(busy)).toMatchObject([{}, failed, { payload: expect.any(String) }])
  })

  it('serves a client soon although another client has filled the line of waiting events', async () => {
    await using shop = testInvoker({ wait: 60_000 })
    await shop.invoke({ do: 'answer' })
    const ran: string[] = []
    const refused: string[] = []
    const call = async (client: string) => {
      const { failure } = await shop.invoker.invoke({ event: '{"do":"none"}', requestId: 'r', client })
      if (failure === undefined) ran.push(client)
      else refused.push(`${client}: ${failure.message}`)
    }
    const busy = shop.invoke({ do: 'wait', ms: 200 })
    const many = Array.from({ length: 1100 }, () => call('many'))
    await Promise.all([busy, ...many, call('one')])
    expect(ran.indexOf('one')).toBeGreaterThanOrEqual(0)
    // An instance has at most sixteen events ahead of time.
    expect(ran.indexOf('one')).toBeLessThan(40)
    expect(new Set(refused)).toEqual(new Set(['many: 1000 events already wait for shop']))
  })

  it('marks the events that waited for an instance to start', async () => {
    await using shop = testInvoker({ instances: 2 })
    const coldStart = async () => (await shop.invoke({ do: 'answer' })).coldStart === true
    expect([await coldStart(), await coldStart()]).toEqual([true, false])
    shop.reload()
    expect([await coldStart(), await coldStart()]).toEqual([true, false])
  })

  it('captures the output of each invocation', async () => {
    await using shop = testInvoker()
    for (const what of ['answer', 'nothing']) {
      const { logs } = await shop.invoke({ do: what })
      expect(logs).toEqual([
        { stream: 'out', text: `doing ${what}` },
        { stream: 'err', text: 'really' },
      ])
    }
  })

  it('gives each instance one event at a time, and starts instances up to its limit', async () => {
    await using shop = testInvoker({ instances: 2, wait: 60_000, timeout: 60_000 })
    const first = read(await shop.invoke({ do: 'answer' })).process
    expect(read(await shop.invoke({ do: 'answer' })).process).toBe(first)
    expect(shop.instances()).toBe(1)
    using folder = temporaryFolder()
    const meet = () => shop.invoke({ do: 'meet', folder: folder.path }, 60_000)
    const results = await Promise.all([meet(), meet(), meet()])
    expect(new Set(results.map(result => read(result).process)).size).toBe(2)
    expect(shop.instances()).toBe(2)
  })

  it('fails an event that waits too long for an instance', async () => {
    const clock = manualClock()
    await using shop = testInvoker({ clock, wait: 50 })
    await shop.invoke({ do: 'answer' })
    const busy = shop.invoke({ do: 'wait', ms: 100 })
    const waiting = shop.invoke({ do: 'answer' })
    await clock.advance(50)
    expect((await waiting).failure).toEqual({
      kind: 'unavailable',
      message: 'no instance of shop was free within 50 ms',
    })
    expect((await busy).failure).toBeUndefined()
  })

  it('ends an instance that has been idle for too long', async () => {
    const clock = manualClock()
    await using shop = testInvoker({ clock })
    await shop.invoke({ do: 'answer' })
    await clock.advance(idleLimit - 1)
    expect(shop.instances()).toBe(1)
    await clock.advance(1)
    expect(shop.instances()).toBe(0)
    expect(clock.waiting).toBe(0)
  })

  it.each([
    [
      'an export is not a function',
      'text',
      'What the module exports as text is not a function: it is of the type string.',
    ],
    [
      'an export is missing, and lists the existing exports',
      'hander',
      'no function named hander. It exports handler, text.',
    ],
    ['no export has the configured name', 'nobody', 'The module exports no function named nobody.'],
  ])('reports that %s', async (_case, exportName, message) => {
    await using shop = testInvoker({ exportName })
    expect((await shop.invoke({ do: 'answer' })).failure).toEqual({
      kind: 'unloadable',
      message: expect.stringContaining(message),
    })
  })
})

describe('a module whose function the platform would not call', () => {
  it.each([
    [
      'is the default export',
      'export default signalbox(orders)',
      "The module exports no function named handler. It exports default. Write export const handler = … instead of export default, or set export: 'default' at the function in the configuration.",
    ],
    [
      'is a plugin',
      'export const handler = orders',
      'What the module exports as handler is not a function: it is a plugin. Write signalbox() around the plugin of queue: export const handler = signalbox(…).',
    ],
    [
      'is a plugin and the default export',
      'export default orders',
      'The module exports no function named handler. It exports default. Write signalbox() around the plugin of queue: export const handler = signalbox(…).',
    ],
  ])('is refused when it is loaded if its function %s', async (_case, content, message) => {
    using folder = temporaryFolder(import.meta.dirname)
    const file = join(folder.path, 'orders.ts')
    const imports = `import { signalbox } from '@signalbox/core'
      import { queue } from '@signalbox/queue'
      const orders = queue({ onMessage: () => {} })`
    writeFileSync(file, `${imports}\n${content}`)
    await using orders = testInvoker({ module: pathToFileURL(file).href })
    expect((await orders.invoker.load!())?.failure).toEqual({ kind: 'unloadable', message })
  })

  it('is called if its function is the default export, and the configuration says so', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'shop.ts')
    writeFileSync(file, 'export default () => 7')
    await using shop = testInvoker({ module: pathToFileURL(file).href, exportName: 'default' })
    expect(await shop.invoke({})).toMatchObject({ payload: '7' })
  })
})

describe('load()', () => {
  it('loads the function once without an event, and keeps no instance', async () => {
    await using shop = testInvoker()
    expect(await Promise.all([shop.invoker.load!(), shop.invoker.load!()])).toEqual([undefined, undefined])
    expect([shop.invoker.started!(), shop.instances()]).toEqual([1, 0])
    await shop.invoke({ do: 'answer' })
    expect(await shop.invoker.load!()).toBeUndefined()
    expect([shop.invoker.started!(), shop.instances()]).toEqual([2, 1])
  })

  it('shares its instance with an event that comes in the meantime', async () => {
    await using shop = testInvoker({ instances: 2 })
    const [loaded, result] = await Promise.all([shop.invoker.load!(), shop.invoke({ do: 'nothing' })])
    expect([loaded, result.failure, shop.invoker.started!()]).toEqual([undefined, undefined, 1])
    expect(shop.instances()).toBe(1)
  })

  it('returns why the function cannot be loaded, and the code after a reload counts', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'shop.ts')
    writeFileSync(file, 'console.log("so far"); throw new Error("not today")')
    await using shop = testInvoker({ module: pathToFileURL(file).href })
    expect(await shop.invoker.load!()).toMatchObject({
      failure: { kind: 'unloadable', message: 'The module cannot be loaded. Error: not today' },
      logs: expect.arrayContaining([{ stream: 'out', text: 'so far' }]),
    })
    const second = shop.invoker.load!()
    writeFileSync(file, 'export const handler = () => 7')
    shop.reload()
    expect(await second).toBeUndefined()
  })

  it('ends when the invoker stops', async () => {
    const shop = testInvoker()
    const loaded = shop.invoker.load!()
    await shop.invoker.stop()
    expect([await loaded, await shop.invoker.load!()]).toEqual([undefined, undefined])
  })
})

describe('the logs of an invocation', () => {
  const failing = async (name: string, content: string) => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder.path, 'broken.js'), 'export const a = 1\nexport const b = {')
    const file = join(folder.path, name)
    writeFileSync(file, content)
    await using shop = testInvoker({ module: pathToFileURL(file).href })
    const { failure, logs } = await shop.invoke({})
    const written = logs.map(({ stream, text }) => `${stream} ${text.replaceAll(folder.path, '')}`).join('\n')
    return { failure, written }
  }

  it('show where the function threw an error', async () => {
    const failed = await failing('shop.ts', 'export const handler =\n  (event: any) => event.order.id')
    expect(failed.failure).toEqual({
      kind: 'threw',
      message: expect.stringMatching(/^TypeError: Cannot read/),
    })
    expect(failed.written).toMatch(
      /^err TypeError: Cannot read .*\n {4}at handler \(file:\/\/\/shop\.ts:2:\d+\)$/,
    )
  })

  it('show no stack trace of a denial, because a denial is an ordinary result', async () => {
    const denial = "throw Object.assign(new Error('Staff only'), { code: 'DENIED' })"
    const failed = await failing('shop.ts', `export const handler = () => { ${denial} }`)
    expect(failed).toEqual({ failure: { kind: 'threw', message: 'Error: Staff only' }, written: '' })
  })

  it.each([
    ['an error while the module is loaded', 'shop.ts', "\nthrow new Error('not today')", /\/shop\.ts:2:7$/],
    ['a TypeScript syntax error', 'shop.ts', '\nconst x: = 1', /^err file:\/\/\/shop\.ts:2\s+const x: = 1\n/],
    ['a JavaScript syntax error', 'shop.js', '\nconst x = = 1', /file:\/\/\/shop\.js:2\nconst x = = 1\n/],
    ['a syntax error in an imported file', 'shop.ts', "import './broken.js'", /file:\/\/\/broken\.js:2\n/],
    [
      'an import of a name that is not exported',
      'shop.ts',
      "import { gone } from 'node:fs'",
      /\/shop\.ts:1\n/,
    ],
  ])('show the file and line of %s', async (_case, name, content, place) => {
    const failed = await failing(name, content)
    expect(failed.failure).toEqual({
      kind: 'unloadable',
      message: expect.stringMatching(/^The module cannot be loaded\. (Syntax)?Error: /),
    })
    expect(failed.written).toMatch(place)
  })
})

describe('a new generation of a function', () => {
  const source = (version: number, task = '') => `
    import { existsSync, writeFileSync } from 'node:fs'
    const version: number = ${version}
    export const handler = async () => {
      ${task}
      return version
    }`

  it('gets all later events, while running invocations finish with the old code', async () => {
    using folder = temporaryFolder()
    const [file = '', begun = '', finish = ''] = ['shop.ts', 'begun', 'finish'].map(name =>
      join(folder.path, name),
    )
    const task = `writeFileSync(${JSON.stringify(begun)}, '')
      while (!existsSync(${JSON.stringify(finish)})) await new Promise(resolve => setTimeout(resolve, 5))`
    writeFileSync(file, source(1, task))
    await using shop = testInvoker({ module: pathToFileURL(file).href, timeout: 20_000 })
    const old = shop.invoke({})
    while (!existsSync(begun)) await new Promise(resolve => setTimeout(resolve, 5))
    writeFileSync(file, source(2))
    shop.reload()
    expect(await shop.invoke({})).toMatchObject({ payload: '2', generation: 2 })
    expect(shop.instances()).toBe(2)
    writeFileSync(finish, '')
    expect(await old).toMatchObject({ payload: '1', generation: 1 })
    expect(shop.instances()).toBe(1)
  })

  it('is replaced by the next generation when it cannot be loaded', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'shop.ts')
    await using shop = testInvoker({ module: pathToFileURL(file).href })
    for (const [content, message] of [
      ['throw new Error("not today")', 'The module cannot be loaded. Error: not today'],
      ['const x: = 1', 'The module cannot be loaded. SyntaxError: '],
      ['import "./nowhere.ts"', 'The module cannot be loaded. Error: Cannot find module'],
      ['process.exit(5)', 'shop exited with code 5'],
      ['await new Promise(() => {})', 'The module cannot be loaded. One of its top-level awaits never ends.'],
      ['export const handler = null', 'exports as handler is not a function: it is null.'],
      ['export const handler = (async () => 1)()', 'it is a promise. Export the function itself, and'],
      ['export let handler', 'exports as handler is not a function: it is undefined.'],
      ['export default null', 'exports no function named handler. It exports default.'],
      ['export default { handler: 7 }', 'exports as handler is not a function: it is of the type number.'],
      ['console.log("so far"); await Promise.reject(undefined)', 'The module cannot be loaded. undefined'],
    ] as const) {
      writeFileSync(file, content)
      shop.reload()
      const { failure, logs } = await shop.invoke({})
      expect(failure?.message).toContain(message)
      if (content.startsWith('console')) expect(logs).toEqual([{ stream: 'out', text: 'so far' }])
    }
    writeFileSync(file, source(7))
    shop.reload()
    expect(await shop.invoke({})).toMatchObject({ payload: '7', generation: 13 })
  })
})

describe('processInvoker.stop()', () => {
  it('ends running and waiting invocations and all processes', async () => {
    const shop = testInvoker()
    const pid = read(await shop.invoke({ do: 'answer' })).process
    const running = shop.invoke({ do: 'loop' })
    const waiting = shop.invoke({ do: 'answer' })
    await new Promise(resolve => setTimeout(resolve, 50))
    await shop.stop()
    expect(isRunning(pid)).toBe(false)
    expect((await running).failure).toEqual({ kind: 'crash', message: 'shop was stopped' })
    expect((await waiting).failure).toEqual({ kind: 'unavailable', message: 'shop is stopping' })
    expect((await shop.invoke({ do: 'answer' })).failure?.kind).toBe('unavailable')
    expect(shop.instances()).toBe(0)
  })
})

describe('with `concurrency`', () => {
  it('one process runs several events, each with its own output', async () => {
    await using shop = testInvoker({ concurrency: 3, timeout: 20_000 })
    const results = await Promise.all([200, 100, 150].map(ms => shop.invoke({ do: 'wait', ms })))
    expect(results.map(result => read(result).waited)).toEqual([200, 100, 150])
    expect(new Set(results.map(result => read(result).process)).size).toBe(1)
    for (const { logs } of results)
      expect(logs).toEqual([
        { stream: 'out', text: 'doing wait' },
        { stream: 'err', text: 'really' },
      ])
    expect([shop.instances(), shop.started!()]).toEqual([1, 1])
  })

  it('an event that takes too long fails alone, and the process ends after its other events', async () => {
    await using shop = testInvoker({ concurrency: 2, timeout: 20_000 })
    const first = read(await shop.invoke({ do: 'answer' })).process
    const other = shop.invoke({ do: 'wait', ms: 1000 })
    expect((await shop.invoke({ do: 'hang' }, 200)).failure?.kind).toBe('timeout')
    expect(read(await shop.invoke({ do: 'answer' })).process).not.toBe(first)
    expect(read(await other)).toEqual({ waited: 1000, process: first })
    for (let tries = 0; tries < 500 && isRunning(first); tries++)
      await new Promise(resolve => setTimeout(resolve, 20))
    expect(isRunning(first)).toBe(false)
  })

  it('a process that ends fails all its events, and no other', async () => {
    await using shop = testInvoker({ concurrency: 2, instances: 1, timeout: 20_000 })
    const other = shop.invoke({ do: 'wait', ms: 10_000 })
    const failed = [await shop.invoke({ do: 'exit' }), await other]
    expect(failed.map(({ failure }) => failure?.message)).toEqual(Array(2).fill('shop exited with code 3'))
    expect((await shop.invoke({ do: 'answer' })).failure).toBeUndefined()
  })

  it('a reload lets the running events of a process end', async () => {
    await using shop = testInvoker({ concurrency: 2, timeout: 20_000 })
    const first = read(await shop.invoke({ do: 'answer' })).process
    const running = shop.invoke({ do: 'wait', ms: 500 })
    shop.reload()
    expect(read(await shop.invoke({ do: 'answer' })).process).not.toBe(first)
    expect(read(await running)).toEqual({ waited: 500, process: first })
  })
})

it('with `tenancy: isolated`, a process serves one tenant only, and an idle one of another tenant makes room', async () => {
  await using shop = testInvoker({ tenancy: 'isolated', timeout: 20_000 })
  const processOf = async (tenantId: string) =>
    read(await shop.invoker.invoke({ event: '{"do":"answer"}', requestId: 'r', context: { tenantId } }))
      .process
  const blue = await processOf('blue')
  expect(await processOf('blue')).toBe(blue)
  const [red, again] = await Promise.all([processOf('red'), processOf('blue')])
  expect(red).not.toBe(blue)
  expect(again).not.toBe(red)
  expect([shop.instances(), isRunning(again)]).toEqual([1, true])
})

if (process.platform === 'linux')
  it('a process is killed with its children, also with those that left its session', async () => {
    await using shop = testInvoker({ timeout: 20_000 })
    const ids = read(await shop.invoke({ do: 'children' })) as number[]
    expect(ids.map(isRunning)).toEqual([true, true])
    await shop.invoke({ do: 'exit' })
    for (let tries = 0; tries < 500 && ids.some(isRunning); tries++)
      await new Promise(resolve => setTimeout(resolve, 20))
    expect(ids.map(isRunning)).toEqual([false, false])
  })
