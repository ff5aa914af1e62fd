import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { Hono } from 'hono'
import { consolePlatform } from '../testing/console-platform.ts'
import type { Env } from './access.ts'
import { webFiles } from './web-files.ts'

function served(path: string) {
  const folder = pathToFileURL(`${path}/web/`)
  const app = new Hono<Env>().get('/console/*', webFiles(folder))
  return async (url: string, encoding = '') => {
    const response = await app.request(url, { headers: { 'accept-encoding': encoding } })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

it('the console serves the same page at every path, and assets that browsers may cache forever', async () => {
  using folder = temporaryFolder()
  mkdirSync(join(folder.path, 'web/assets'), { recursive: true })
  writeFileSync(join(folder.path, 'web/index.html'), '<!doctype html>')
  writeFileSync(join(folder.path, 'web/icon.svg'), '<svg/>')
  writeFileSync(join(folder.path, 'web/assets/main-1a2b.js'), 'one()')
  writeFileSync(join(folder.path, 'web/assets/main-1a2b.js.br'), 'brotli')
  writeFileSync(join(folder.path, 'web/assets/main-1a2b.js.gz'), 'gzip')
  writeFileSync(join(folder.path, 'secret'), 'secret')
  const get = served(folder.path)
  for (const path of [
    '/console/',
    '/console/invocations?text=x',
    '/console/invocations/7',
    '/console/../secret',
  ]) {
    const { status, headers, text } = await get(path)
    if (path.endsWith('secret')) expect(text).not.toBe('secret')
    else expect([status, text, headers.get('cache-control')]).toEqual([200, '<!doctype html>', 'no-cache'])
  }
  const page = await get('/console/')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  expect(policy).not.toMatch(/script-src[^;]*(?:unsafe|data:|http)/)
  expect((await get('/console/icon.svg')).headers.get('content-type')).toBe('image/svg+xml')
  const asset = await get('/console/assets/main-1a2b.js')
  expect([asset.text, asset.headers.get('cache-control')]).toEqual([
    'one()',
    'public, max-age=31536000, immutable',
  ])
  const encoded = async (accepted: string) => {
    const { text, headers } = await get('/console/assets/main-1a2b.js', accepted)
    return [text, headers.get('content-encoding')]
  }
  expect(await encoded('gzip, deflate, br')).toEqual(['brotli', 'br'])
  expect(await encoded('gzip')).toEqual(['gzip', 'gzip'])
  expect(await encoded('br;q=0, gzip')).toEqual(['gzip', 'gzip'])
  expect(await encoded('identity')).toEqual(['one()', null])
  for (const path of ['assets/none.js', 'assets/..%2f..%2fsecret', 'assets/%2e%2e/%2e%2e/secret'])
    expect((await get(`/console/${path}`)).text).not.toBe('secret')
  expect((await get('/console/assets/none.js')).status).toBe(404)
})

it('the console answers 503 with build instructions if its web application is not built', async () => {
  using folder = temporaryFolder()
  expect(await served(folder.path)('/console/')).toMatchObject({
    status: 503,
    text: expect.stringContaining('Build @signalbox/console'),
  })
})

it('the pages of the console require no session, but its API does', async () => {
  await using setup = await consolePlatform({ functions: { shop: { handler: async () => 'ok' } } })
  const { origin } = setup
  const redirect = await fetch(`${origin}/console`, { redirect: 'manual' })
  expect([redirect.status, redirect.headers.get('location')]).toEqual([308, '/console/'])
  expect([200, 503]).toContain((await fetch(`${origin}/console/`)).status)
  expect((await fetch(`${origin}/console/api/nothing`)).status).toBe(401)
  expect((await fetch(`${origin}/console/api/live`)).status).toBe(401)
})
