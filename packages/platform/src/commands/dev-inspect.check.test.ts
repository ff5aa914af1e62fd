import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { attachInspector } from '@signalbox/platform-runtime/testing/inspector-client'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { spawnCommand } from '../testing/spawned-command.ts'

const shop = (body: string) => `
export const handler = async (event: { path: string }) => {
  const body = ${JSON.stringify(body)} + event.path
  return { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, body }
}`

const returnLine = 4

/** Returns a project of two functions with a time-out of one second, and one that runs elsewhere. */
function project() {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'shop.ts'), shop('one'))
  writeFileSync(
    join(folder.path, 'signalbox.config.ts'),
    `export default {
      functions: {
        shop: { module: './shop.ts', timeout: 1, wait: 1 },
        orders: { module: './shop.ts' },
        far: { url: 'http://127.0.0.1:9/' },
      },
      loadBalancers: { web: { port: 0, function: 'shop' } },
    }`,
  )
  return folder
}

const inspectorOf = (name: string) => new RegExp(`inspector ${name}: +(http://127\\.0\\.0\\.1:\\d+)\n`)

describe('signalbox dev --inspect', () => {
  it.each([['--inspect shop'], ['--inspect=shop']])(
    'stops at a breakpoint for longer than the time-out, answers the request, and does it again after a save, with %s',
    async options => {
      using folder = project()
      await using dev = spawnCommand(['dev', ...options.split(' ')], folder.path)
      const [, url = ''] = await dev.prints(/load balancer web: +(http:\S+)\n/)
      const [printed, inspector = ''] = await dev.prints(inspectorOf('shop'))
      expect(printed).toBeTruthy()
      await dev.prints(/Watching/)
      const stopAndGo = async (answer: string) => {
        await using client = await attachInspector(inspector)
        await client.breakAt('shop.ts', returnLine)
        const body = fetch(`${url}/x`).then(response => response.text())
        await client.event('Debugger.paused')
        await new Promise(resolve => setTimeout(resolve, 1500))
        await client.send('Debugger.resume')
        expect(await body).toBe(answer)
      }
      await stopAndGo('one/x')
      const waiting = await attachInspector(inspector)
      writeFileSync(join(folder.path, 'shop.ts'), shop('two'))
      await waiting.closed
      await stopAndGo('two/x')
      dev.process.kill('SIGINT')
      const { code, printed: all, printedErrors } = await dev.exit
      expect([code, printedErrors]).toEqual([0, ''])
      expect(all).not.toContain('Debugger')
      expect(all).not.toContain('inspector orders')
    },
    60_000,
  )

  it('gives each function with a module its own port without a name', async () => {
    using folder = project()
    await using dev = spawnCommand(['dev', '--inspect'], folder.path)
    const [, one = ''] = await dev.prints(inspectorOf('shop'))
    const [, two = ''] = await dev.prints(inspectorOf('orders'))
    await dev.prints(/Watching/)
    for (const url of [one, two]) await (await attachInspector(url))[Symbol.asyncDispose]()
    expect(one).not.toBe(two)
    dev.process.kill('SIGINT')
    expect((await dev.exit).printed).not.toContain('inspector far')
  }, 60_000)

  it('prints the port as JSON', async () => {
    using folder = project()
    await using dev = spawnCommand(['dev', '--inspect', 'shop', '--json'], folder.path)
    const [line = ''] = await dev.prints(/.*inspector shop.*\n/)
    expect(JSON.parse(line)).toMatchObject({
      kind: 'address',
      source: 'inspector shop',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    })
  })

  it.each([
    ['--inspect shpo', 'There is no function "shpo". Did you mean shop?'],
    ['--inspect zzzzz', 'There is no function "zzzzz". The functions are shop, orders, far.'],
    ['--inspect far', 'No debugger can attach to far here: it has no module'],
    ['shop', 'dev takes no argument "shop".'],
  ])('is refused with a reason as "signalbox dev %s"', async (options, reason) => {
    using folder = project()
    await using dev = spawnCommand(['dev', ...options.split(' ')], folder.path)
    expect(await dev.exit).toMatchObject({ code: 2, printedErrors: expect.stringContaining(reason) })
  })
})
