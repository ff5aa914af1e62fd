import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { type Config, createPlatform } from '@signalbox/platform'
import { spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { everyListener, guardedThings, publicThings, tryEverything } from './testing/outsider.ts'

/** Starts a platform, tries everything with these headers, and stops it. */
async function allowedWith(config: Config, headers: { readonly [name: string]: string }) {
  const platform = createPlatform(config)
  const urls = new Map((await platform.start()).map(({ source, url }) => [source, url]))
  try {
    return await tryEverything(listener => ({ port: new URL(urls.get(listener)!).port }), headers)
  } finally {
    await platform.stop()
  }
}

describe('a proxy on this machine made everyone an administrator', () => {
  it.each([
    ['Forwarded', 'for=203.0.113.9'],
    ['X-Forwarded-For', '203.0.113.9'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Host', 'auth.example.com'],
    ['X-Forwarded', 'for=203.0.113.9'],
    ['X-Real-IP', '203.0.113.9'],
    ['Via', '1.1 front'],
    ['CDN-Loop', 'front'],
    ['CF-Connecting-IP', '203.0.113.9'],
    ['True-Client-IP', '203.0.113.9'],
    ['X-Client-IP', '203.0.113.9'],
    ['X-Cluster-Client-IP', '203.0.113.9'],
  ])('a request with %s gets only what is for everyone', async (name, value) => {
    expect(await allowedWith(everyListener(), { [name]: value })).toEqual(publicThings)
  })

  it('programs on this machine may use everything without a key', async () => {
    expect(await allowedWith(everyListener(), {})).toEqual([...publicThings, ...guardedThings])
  })

  it('a listener with "open: true" serves everyone, also through a proxy', async () => {
    const allowed = await allowedWith(everyListener({ open: true }), { 'x-forwarded-for': '203.0.113.9' })
    expect(allowed).toEqual([...publicThings, ...guardedThings])
  })

  it.each([[{}], [{ 'x-forwarded-for': '203.0.113.9' }]])(
    'with "access", clients need a key, whatever their headers',
    async headers => {
      const config = { ...everyListener(), access: { identities: {} } }
      expect(await allowedWith(config, headers)).toEqual(publicThings)
    },
  )

  it.each<[string, object, string]>([
    ['names', { queueListener: { names: ['localhost', 'q.example.com'] } }, '/queueListener/names/1'],
    ['names', { userPoolListener: { names: ['auth.example.com'] } }, '/userPoolListener/names/0'],
    ['names', { invoke: { names: ['fn.example.com'] } }, '/invoke/names/0'],
    ['names', { control: { names: ['box.example.com'] } }, '/control/names/0'],
    ['host', { userPoolListener: { host: '0.0.0.0' } }, '/userPoolListener/host'],
    ['issuer', { userPoolListener: { issuer: 'https://auth.example.com' } }, '/userPoolListener/issuer'],
    ['origin', { control: { origin: 'https://console.example.com' } }, '/control/origin'],
  ])('the setting "%s" of a listener beyond this machine needs "access": %j', async (_setting, part, at) => {
    const make = (more: object) => createPlatform({ functions: {}, dataDir: ':memory:', ...more } as Config)
    expect(() => make({ userPools: {}, ...part })).toThrow(`${at}: expected `)
    expect(() => make({ userPools: {}, ...part })).toThrow('identities in `access`')
    await make({ userPools: {}, ...part, access: { identities: {} } }).stop()
    const [[listener, own]] = Object.entries(part) as [[string, object]]
    await make({ userPools: {}, [listener]: { ...own, open: true } }).stop()
  })

  it('accepts hosts, names, issuers and origins of this machine without "access"', async () => {
    const names = ['localhost', 'auth.localhost', '127.0.0.2', '[::1]']
    const platform = createPlatform({
      userPools: {},
      userPoolListener: { port: 0, host: 'localhost', names, issuer: 'http://auth.localhost:9331' },
      control: { port: 0, names, origin: 'http://[::1]:9330' },
      dataDir: ':memory:',
    })
    await platform.stop()
  })

  it('administrators with a key of their own need neither "access" nor "open: true"', async () => {
    const admin = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMIK7MDENG' }
    const userPoolListener = { port: 0, host: '0.0.0.0', names: ['auth.example.com'], admin }
    const config = { userPools: {}, userPoolListener, dataDir: ':memory:' } as Config
    await createPlatform(config, { unauthenticated: 'refuse' }).stop()
  })
})

describe('signalbox start and dev', () => {
  const project = (more: string) => {
    const folder = temporaryFolder()
    const config = `queues: { orders: {} }, userPools: {}, invoke: { port: 0 }, control: { port: 0 },`
    const ports = 'queueListener: { port: 0 }, userPoolListener: { port: 0 },'
    writeFileSync(join(folder.path, 'signalbox.config.ts'), `export default { ${config} ${ports} ${more} }`)
    return folder
  }

  it('start refuses listeners with neither "access" nor "open: true", and says what to write', async () => {
    using folder = project('functions: {}')
    await using start = spawnCommand(['start'], folder.path)
    const { code, printed, printedErrors } = await start.exit
    expect([code, printed]).toEqual([2, ''])
    expect(printedErrors).toMatch(/^\S+signalbox\.config\.ts is not safe to start:\n/)
    const pointers = printedErrors.match(/^\/\w+(?=: expected `access` .* or `open: true` here)/gm)
    expect(pointers!.sort()).toEqual(['/control', '/invoke', '/queueListener', '/userPoolListener'])
  })

  it('start runs with "access"', async () => {
    using folder = project('functions: {}, access: { identities: {} }')
    await using start = spawnCommand(['start'], folder.path)
    await start.prints(/Running/)
  })

  it('dev warns once', async () => {
    using folder = project('functions: {}')
    await using dev = spawnCommand(['dev', '--json'], folder.path)
    await dev.prints(/"kind":"ready"/)
    dev.process.kill('SIGTERM')
    const lines = (await dev.exit).printed.trim().split('\n')
    const notices = lines.map(line => JSON.parse(line)).filter(({ text }) => text.includes('access'))
    expect(notices.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'notice: Without `access`, every program on this machine may use the listener of the user pools, the listener of the queues, the Invoke API, the control address. A proxy on this machine would let everyone in. `signalbox start` refuses this.',
    ])
  })
})

it('createPlatform() refuses unauthenticated listeners only when asked', async () => {
  expect(() => createPlatform(everyListener(), { unauthenticated: 'refuse' })).toThrow('is not safe to start')
  await createPlatform(everyListener({ open: true }), { unauthenticated: 'refuse' }).stop()
  expect(() => createPlatform(everyListener(), { unauthenticated: 'ask' as never })).toThrow(
    "createPlatform() takes 'refuse' or 'notice' as unauthenticated.",
  )
})
