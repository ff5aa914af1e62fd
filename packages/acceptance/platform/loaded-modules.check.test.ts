import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import { spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

const config = `export default {
  functions: { shop: { handler: () => ({ statusCode: 200 }) } },
  loadBalancers: { web: { port: 0, function: 'shop' } },
}`

/** Returns code that writes the URLs of all loaded modules into a file when the process ends. */
const record = (file: string) => `
import { registerHooks } from 'node:module'
import { writeFileSync } from 'node:fs'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
process.on('exit', () => writeFileSync(${JSON.stringify(file)}, loaded.join('\\n')))
`

/** Returns the modules that `signalbox start` loads with a load balancer as its only source. */
async function loadedModules(...options: readonly string[]): Promise<readonly string[]> {
  using folder = temporaryFolder()
  const list = join(folder.path, 'loaded.txt')
  const hook = join(folder.path, 'hook.mjs')
  writeFileSync(join(folder.path, 'signalbox.config.js'), config)
  writeFileSync(hook, record(list))
  await using started = spawnCommand(['start', ...options], folder.path, '', {
    NODE_OPTIONS: `--import=${hook}`,
  })
  await started.prints(/Running/)
  started.process.kill('SIGTERM')
  expect((await started.exit).code).toBe(0)
  return readFileSync(list, 'utf8').split('\n')
}

it.each([['signalbox start --json', '--json'], ['signalbox start']])(
  'with only a load balancer, %s loads only io-ts and fp-ts from npm, and little code of other sources',
  async (_command, ...options) => {
    const loaded = await loadedModules(...options)
    const of = (name: string) => loaded.filter(url => url.includes(`/packages/${name}/`)).length
    expect(of('platform-load-balancer')).toBeGreaterThan(20)
    // Reading the configuration of unused sources loads at most this many modules.
    // Its configuration has files for passwords, clients, programs that sign users in, kept sign-ins, and pages.
    expect(of('platform-user-pool')).toBeLessThanOrEqual(25)
    // Its configuration has files for domains, for keys and for patterns of addresses.
    expect(of('platform-mail')).toBeLessThanOrEqual(22)
    expect(of('platform-queue')).toBeLessThanOrEqual(20)
    expect(of('platform-invoke')).toBeLessThanOrEqual(8)
    // The other commands are not needed.
    expect(of('platform')).toBeLessThanOrEqual(15)
    expect(loaded.filter(url => /node_modules.*(?<!\/(io-ts|fp-ts)\/.*)$/.test(url))).toEqual([])
    // An import of one of these modules would also load an HTTP client.
    expect(loaded.filter(url => /^node:(https?|http2)$/.test(url))).toEqual([])
  },
)

const built = import.meta.resolve('@signalbox/platform/package.json').replace('package.json', 'dist/index.js')

it('the built packages load few files, because each is bundled', async () => {
  using folder = temporaryFolder()
  const list = join(folder.path, 'loaded.txt')
  const hook = join(folder.path, 'hook.mjs')
  const program = join(folder.path, 'program.mjs')
  writeFileSync(hook, record(list))
  writeFileSync(
    program,
    `import { createPlatform } from ${JSON.stringify(built)}
    const handler = () => ({ statusCode: 200 })
    const platform = createPlatform({
      functions: { shop: { handler } },
      loadBalancers: { web: { port: 0, function: 'shop' } },
      dataDir: ':memory:',
    })
    await platform.start()
    await platform.stop()`,
  )
  await promisify(execFile)(process.execPath, [`--import=${hook}`, program])
  const ofPlatform = readFileSync(list, 'utf8')
    .split('\n')
    .filter(url => /\/packages\/(platform|platform-[a-z-]+)\//.test(url))
  expect(ofPlatform.filter(url => !url.includes('/dist/'))).toEqual([])
  // From source, these are 304.
  expect(ofPlatform.length).toBeLessThanOrEqual(100)
})
