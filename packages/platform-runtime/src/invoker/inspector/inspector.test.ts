import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { attachInspector } from '../../testing/inspector-client.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { testInvoker } from '../testing/process-test-invoker.ts'

const source = (body: string) => `export const handler = async (event: { hangs?: true }, context: any) => {
  if (event.hangs) await new Promise(() => {})
  const left = context.getRemainingTimeInMillis()
  return { body: ${JSON.stringify(body)}, left }
}
`

/** The last line of the handler. */
const lastLine = 4

/** Lets all messages of the moment arrive. */
const soon = () => new Promise(resolve => setTimeout(resolve, 100))

function debugged(folder: string, clock = manualClock(), body = 'one') {
  const file = join(folder, 'shop.ts')
  writeFileSync(file, source(body))
  const shop = testInvoker({
    module: pathToFileURL(file).href,
    folder,
    clock,
    inspect: true,
    timeout: 2000,
    wait: 1000,
    instances: 8,
  })
  return { shop, clock, file }
}

describe('the inspector of a function', () => {
  it('stops at a breakpoint for longer than every limit, and the event is answered when it continues', async () => {
    using folder = temporaryFolder()
    const { shop, clock } = debugged(folder.path)
    await using _ = shop
    const url = await shop.invoker.inspector!.start()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await using client = await attachInspector(url)
    await client.breakAt('shop.ts', lastLine)
    const answer = shop.invoke({}, 1000)
    const { callFrames } = await client.event('Debugger.paused')
    expect((callFrames as unknown[])[0]).toMatchObject({
      functionName: 'handler',
      location: { lineNumber: lastLine - 1 },
    })
    const next = shop.invoke({})
    await clock.advance(60 * 60_000)
    await client.send('Debugger.resume')
    expect(JSON.parse((await answer).payload)).toEqual({ body: 'one', left: expect.any(Number) })
    await client.event('Debugger.paused')
    await client.send('Debugger.resume')
    const { payload, failure } = await next
    expect([failure, JSON.parse(payload).body]).toEqual([undefined, 'one'])
    // The function's own deadlines are as far away as the platform's.
    expect(JSON.parse(payload).left).toBeGreaterThan(3_600_000)
    // An idle instance does not end under the eyes of the user.
    await clock.advance(60 * 60_000)
    expect([shop.instances(), shop.started?.()]).toEqual([1, 1])
  })

  it('applies the time-out from the moment on at which the debugger leaves', async () => {
    using folder = temporaryFolder()
    const { shop, clock } = debugged(folder.path)
    await using _ = shop
    const url = await shop.invoker.inspector!.start()
    const client = await attachInspector(url)
    await shop.invoke({})
    const answer = shop.invoke({ hangs: true })
    await clock.advance(60 * 60_000)
    await client[Symbol.asyncDispose]()
    // Until the platform knows that the debugger has left, no timer waits.
    while (clock.waiting === 0) await soon()
    await clock.advance(1999)
    expect(shop.instances()).toBe(1)
    await clock.advance(1)
    expect(await answer).toMatchObject({
      failure: { kind: 'timeout', message: 'shop timed out after 2000 ms' },
    })
  })

  it('applies the time-out when a debugger only asks for the list of targets', async () => {
    using folder = temporaryFolder()
    const { shop, clock } = debugged(folder.path)
    await using _ = shop
    const url = await shop.invoker.inspector!.start()
    const [target] = await (await fetch(`${url}/json/list`)).json()
    expect(target).toMatchObject({
      type: 'node',
      webSocketDebuggerUrl: expect.stringContaining(new URL(url).host),
    })
    await shop.invoke({})
    expect(shop.started?.()).toBe(1)
    await clock.advance(5 * 60_000)
    expect(shop.instances()).toBe(0)
    // The next request starts an instance again.
    expect(await (await fetch(`${url}/json/list`)).json()).toHaveLength(1)
    expect(shop.started?.()).toBe(2)
  })

  it('is at the same address after a reload, with the new code', async () => {
    using folder = temporaryFolder()
    const { shop, file } = debugged(folder.path)
    await using _ = shop
    const url = await shop.invoker.inspector!.start()
    const first = await attachInspector(url)
    expect(JSON.parse((await shop.invoke({})).payload)).toMatchObject({ body: 'one' })
    writeFileSync(file, source('two'))
    shop.reload()
    await first.closed
    await using second = await attachInspector(url)
    await second.breakAt('shop.ts', lastLine)
    const answer = shop.invoke({})
    await second.event('Debugger.paused')
    await second.send('Debugger.resume')
    expect(JSON.parse((await answer).payload)).toMatchObject({ body: 'two' })
  })

  it('answers 503 with the reason while the function cannot be loaded', async () => {
    using folder = temporaryFolder()
    const { shop, file } = debugged(folder.path)
    await using _ = shop
    writeFileSync(file, 'export const handlers = () => 1')
    const url = await shop.invoker.inspector!.start()
    const list = await fetch(`${url}/json/list`)
    expect([list.status, await list.text()]).toEqual([
      503,
      'The module exports no function named handler. It exports handlers.\n',
    ])
    await expect(attachInspector(url)).rejects.toThrow('The module exports no function')
    const upgraded = await new Promise<string>(resolve => {
      let text = ''
      const { port } = new URL(url)
      connect(Number(port), '127.0.0.1')
        .on('data', bytes => {
          text += bytes
        })
        .on('close', () => resolve(text))
        .write('GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    })
    expect(upgraded).toMatch(/^HTTP\/1\.1 503 .*The module exports no function named handler/s)
  })

  it('refuses the name of a web page, which a browser could have sent', async () => {
    using folder = temporaryFolder()
    const { shop } = debugged(folder.path)
    await using _ = shop
    const { port } = new URL(await shop.invoker.inspector!.start())
    const answer = await new Promise<string>(resolve => {
      let text = ''
      connect(Number(port), '127.0.0.1')
        .on('data', bytes => {
          text += bytes
        })
        .on('close', () => resolve(text))
        .write('GET /json/list HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).not.toContain('webSocketDebuggerUrl')
  })

  it('takes connections of this machine only, and each function has its own port', async () => {
    using folder = temporaryFolder()
    await using one = debugged(folder.path).shop
    await using two = debugged(folder.path).shop
    const ports = [await one.invoker.inspector!.start(), await two.invoker.inspector!.start()].map(url =>
      Number(new URL(url).port),
    )
    expect(new Set(ports).size).toBe(2)
    const outside = Object.values(networkInterfaces())
      .flatMap(each => each ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4')
    if (outside === undefined) return
    const reached = await new Promise(resolve =>
      connect(ports[0]!, outside.address)
        .on('connect', () => resolve('reached'))
        .on('error', error => resolve((error as NodeJS.ErrnoException).code)),
    )
    expect(reached).toBe('ECONNREFUSED')
  })

  it('has no inspector unless the settings say so', async () => {
    await using shop = testInvoker()
    expect(shop.invoker.inspector).toBeUndefined()
    await shop.invoke({ do: 'nothing' })
  })
})
