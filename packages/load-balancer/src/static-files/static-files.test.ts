import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import fc from 'fast-check'
import { headerModes } from '../../fixtures/header-modes.ts'
import { compress, etag, get, group, guard, HttpError, loadBalancer, noContent, type Path } from '../index.ts'
import { exchange, type HttpEventOptions, httpEvent } from '../testing/index.ts'
import { staticFiles } from './index.ts'

let outer: string
let folder: string
const page = '<h1>Größe</h1>'
const picture = Uint8Array.from({ length: 256 }, (_, i) => i)
const changed = new Date('2026-03-01T12:00:00.700Z')
const secret = 'nothing that a client may see'

/** A socket in the folder. It is neither a file nor a folder. */
const socket = createServer()

beforeAll(async () => {
  outer = mkdtempSync(join(tmpdir(), 'signalbox-static-'))
  folder = join(outer, 'public')
  mkdirSync(join(folder, 'docs', 'empty'), { recursive: true })
  mkdirSync(join(folder, '.well-known'))
  mkdirSync(join(folder, '.git'))
  mkdirSync(join(outer, 'public-not'))
  const files: { readonly [path: string]: string | Uint8Array } = {
    'index.html': page,
    'docs/index.html': '<h1>Docs</h1>',
    'a b%41.css': 'b{}',
    'picture.PNG': picture,
    'model.glb': 'x',
    'model.usdz': 'x',
    'icon.ico': 'x',
    'feed.xml': '<feed/>',
    'app.webmanifest': '{}',
    'named.constructor': 'x',
    'none.txt': '',
    'long.txt': 'long '.repeat(1000),
    '.env': secret,
    '.git/config': secret,
    '.git/pack': Buffer.alloc(2 ** 20),
    '.well-known/security.txt': 'Contact: mailto:a@example.com',
    '%2e%2e': 'a name, not an escape',
    'back\\slash.txt': secret,
    '../secret.txt': secret,
    '../public-not/secret.txt': secret,
  }
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content)
  for (const path of ['index.html', 'picture.PNG']) utimesSync(join(folder, path), changed, changed)
  const links: { readonly [path: string]: string } = {
    'out.txt': '../secret.txt',
    'near.txt': '../public-not/secret.txt',
    up: '..',
    'hidden.txt': '.env',
    'inside.html': 'docs/index.html',
    loop: 'loop',
    nowhere: 'missing',
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path))
  socket.listen(join(folder, 'socket'))
  await once(socket, 'listening')
})
afterAll(() => {
  socket.close()
  rmSync(outer, { recursive: true, force: true })
})

describe.each(headerModes)('staticFiles() with %s', (_headers, multiValue) => {
  const handlers = new Map<string, ReturnType<typeof handlerFor>>()
  const handlerFor = (prefix: Path) => signalbox(loadBalancer([staticFiles(prefix, folder)]))
  const ask = (
    path: string,
    headers: HttpEventOptions['headers'] = {},
    { method = 'GET', prefix = '/' }: { method?: 'GET' | 'HEAD' | 'POST'; prefix?: Path } = {},
  ) => {
    const handler = handlers.get(prefix) ?? handlerFor(prefix)
    handlers.set(prefix, handler)
    return exchange(handler, httpEvent(method, path, { multiValue, headers }))
  }

  it.each([
    ['/', 'text/html; charset=utf-8', page],
    ['/index.html', 'text/html; charset=utf-8', page],
    ['/docs/', 'text/html; charset=utf-8', '<h1>Docs</h1>'],
    ['/inside.html', 'text/html; charset=utf-8', '<h1>Docs</h1>'],
    ['/up/public/docs/', 'text/html; charset=utf-8', '<h1>Docs</h1>'],
    ['/a%20b%2541.css', 'text/css; charset=utf-8', 'b{}'],
    ['/model.glb', 'model/gltf-binary', 'x'],
    ['/model.usdz', 'application/octet-stream', 'x'],
    ['/icon.ico', 'image/x-icon', 'x'],
    ['/feed.xml', 'application/xml; charset=utf-8', '<feed/>'],
    ['/app.webmanifest', 'application/manifest+json', '{}'],
    ['/named.constructor', 'application/octet-stream', 'x'],
    ['/none.txt', 'text/plain; charset=utf-8', ''],
    ['/.well-known/security.txt', 'text/plain; charset=utf-8', 'Contact: mailto:a@example.com'],
    ['/%252e%252e', 'application/octet-stream', 'a name, not an escape'],
  ])('serves the file for %s', async (path, type, content) => {
    const { status, text, header } = await ask(path)
    expect([status, text]).toEqual([200, content])
    if (content !== '') expect(header('content-type')).toEqual([type])
    expect(header('cache-control')).toEqual(['no-cache'])
    expect(header('x-content-type-options')).toEqual(['nosniff'])
  })

  it('serves the bytes of a file unchanged, and sends no body for HEAD', async () => {
    const { verdict, header } = await ask('/picture.PNG')
    expect(Buffer.from(verdict.body).equals(picture)).toBe(true)
    expect([header('content-type'), header('last-modified'), header('accept-ranges')]).toEqual([
      ['image/png'],
      ['Sun, 01 Mar 2026 12:00:00 GMT'],
      ['bytes'],
    ])
    const head = await ask('/picture.PNG', { range: 'bytes=0-1' }, { method: 'HEAD' })
    expect([head.status, head.text, head.header('etag')]).toEqual([200, '', header('etag')])
  })

  it('redirects the path of a folder to the same path with a trailing slash', async () => {
    const answers = [await ask('/docs'), await ask('/files', {}, { prefix: '/files' })]
    expect(answers.map(({ status, header }) => [status, ...header('location')])).toEqual([
      [301, '/docs/'],
      [301, '/files/'],
    ])
    const below = [
      await ask('/files/', {}, { prefix: '/files' }),
      await ask('/files/docs/', {}, { prefix: '/files' }),
    ]
    expect(below.map(({ text }) => text)).toEqual([page, '<h1>Docs</h1>'])
  })

  it.each(
    [
      '/../secret.txt',
      '/docs/../../secret.txt',
      '/%2e%2e/secret.txt',
      '/%2E%2E%2Fsecret.txt',
      '/..%2fsecret.txt',
      '/docs%2findex.html',
      '/%252e%252e/secret.txt',
      '/%252e%252e%252fsecret.txt',
      '/..%5csecret.txt',
      '/back%5Cslash.txt',
      '/index.html%00.png',
      '/index.html%2500.png',
      '/%00',
      '//etc/passwd',
      '//docs',
      '/docs//index.html',
      '/./index.html',
      '/docs/.',
      '/docs/..',
      '/.env',
      '/%2eenv',
      '/.git/config',
      '/.well-known/../.env',
      '/out.txt',
      '/near.txt',
      '/up/secret.txt',
      '/hidden.txt',
      '/loop',
      '/nowhere',
      '/socket',
      '/docs/empty/',
      '/index.html/',
      '/index.html/index.html',
      `/${'a'.repeat(300)}`,
      '/constructor',
    ].map(path => [path.length > 50 ? 'a path of many letters' : path, path]),
  )('answers 404 for %s', async (_name, path) => {
    const { status, text } = await ask(path)
    expect(status).toBe(404)
    expect(text).not.toContain(secret)
  })

  it('answers 405 for POST, and 400 for a malformed escape', async () => {
    expect([(await ask('/', {}, { method: 'POST' })).status, (await ask('/%zz')).status]).toEqual([405, 400])
  })

  it('answers a conditional request with the file, a 304 or a 412', async () => {
    const [tag] = (await ask('/')).header('etag')
    const date = 'Sun, 01 Mar 2026 12:00:00 GMT'
    const cases: readonly [HttpEventOptions['headers'], number][] = [
      [{ 'if-none-match': tag! }, 304],
      [{ 'if-none-match': `"a", W/${tag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"a"' }, 200],
      [{ 'if-none-match': '"a"', 'if-modified-since': date }, 200],
      [{ 'if-modified-since': date }, 304],
      [{ 'if-modified-since': 'Sun, 01 Mar 2026 11:59:59 GMT' }, 200],
      [{ 'if-modified-since': 'some day' }, 200],
      [{ 'if-match': tag! }, 200],
      [{ 'if-match': '*' }, 200],
      [{ 'if-match': '"a"' }, 412],
      [{ 'if-match': `W/${tag}` }, 412],
      [{ 'if-unmodified-since': date }, 200],
      [{ 'if-unmodified-since': 'Sun, 01 Mar 2026 11:59:59 GMT' }, 412],
      [{ 'if-match': tag!, 'if-unmodified-since': 'Sun, 01 Mar 2026 11:59:59 GMT' }, 200],
    ]
    for (const [headers, status] of cases) {
      const answer = await ask('/', headers)
      expect([headers, answer.status]).toEqual([headers, status])
      if (status === 304) expect([answer.text, answer.header('etag')]).toEqual(['', [tag]])
    }
  })

  it('sends one byte range of a file, or answers 416 if the file does not contain the range', async () => {
    const cases: readonly [range: string, bytes: readonly [number, number] | number][] = [
      ['bytes=0-0', [0, 0]],
      ['bytes=10-19', [10, 19]],
      ['bytes=250-', [250, 255]],
      ['bytes=250-999', [250, 255]],
      ['bytes=-6', [250, 255]],
      ['bytes=-999', [0, 255]],
      ['Bytes = 1-2', [1, 2]],
      ['bytes=256-', 416],
      ['bytes=-0', 416],
      [`bytes=${'9'.repeat(400)}-`, 416],
      ['bytes=2-1', 200],
      ['bytes=-', 200],
      ['bytes=0-1,3-4', 200],
      ['items=0-1', 200],
      ['bytes=a-b', 200],
    ]
    for (const [range, expected] of cases) {
      const { status, verdict, header } = await ask('/picture.PNG', { range })
      if (typeof expected === 'number') {
        expect([range, status]).toEqual([range, expected])
        if (status === 416) expect(header('content-range')).toEqual(['bytes */256'])
        continue
      }
      const [first, last] = expected
      expect([range, status, header('content-range')]).toEqual([range, 206, [`bytes ${first}-${last}/256`]])
      expect([...verdict.body]).toEqual([...picture.subarray(first, last + 1)])
    }
    expect((await ask('/none.txt', { range: 'bytes=0-' })).status).toBe(416)
  })

  it('reads a range with many spaces in linear time', async () => {
    const before = process.cpuUsage()
    const spaces = ' '.repeat(60_000)
    for (const range of [`bytes=${spaces}x`, `bytes=0${spaces}-${spaces}x`])
      expect((await ask('/picture.PNG', { range })).status).toBe(200)
    expect((await ask('/picture.PNG', { range: `bytes =${spaces}0 - 1${spaces}` })).status).toBe(206)
    expect((await ask('/picture.PNG', { range: 'bytes=0 1-2' })).status).toBe(200)
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })

  it('sends the whole file unless if-range is the exact etag of the file', async () => {
    const range = 'bytes=0-0'
    const [tag] = (await ask('/picture.PNG')).header('etag')
    const statuses = [tag!, `W/${tag}`, '"a"', 'Sun, 01 Mar 2026 12:00:00 GMT'].map(
      async each => (await ask('/picture.PNG', { range, 'if-range': each })).status,
    )
    expect(await Promise.all(statuses)).toEqual([206, 200, 200, 200])
  })

  it('never serves a file outside of its folder, for any path', async () => {
    const part = fc.constantFrom(
      '.',
      '..',
      '%2e',
      '%2E%2e',
      '%2f',
      '%5c',
      '%00',
      '/',
      '\\',
      'up',
      'secret.txt',
      'docs',
      ';',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async parts => {
        const { status, text } = await ask(`/${parts.join('')}`)
        expect(status).toBeLessThan(500)
        expect(text).not.toContain(secret)
      }),
      { numRuns: 150 },
    )
  })

  it('can be combined with compress(), etag() and a guard', async () => {
    const allowed = guard(({ headers }) => {
      if (!headers.has('x-key')) throw new HttpError(403, 'No')
    })
    const handler = signalbox(loadBalancer([group('/own', [allowed], [staticFiles('/files', folder)])])).use([
      compress(),
      etag(),
    ])
    const call = (headers: NonNullable<HttpEventOptions['headers']>) =>
      exchange(handler, httpEvent('GET', '/own/files/long.txt', { multiValue, headers }))
    expect((await call({})).status).toBe(403)
    const headers = { 'x-key': '1', 'accept-encoding': 'gzip' }
    const packed = await call(headers)
    expect([packed.status, packed.header('content-encoding')]).toEqual([200, ['gzip']])
    const [tag] = packed.header('etag')
    expect(tag).toMatch(/^W\//)
    expect((await call({ ...headers, 'if-none-match': tag! })).status).toBe(304)
    const part = await call({ ...headers, range: 'bytes=5-8' })
    expect([part.status, part.text, part.header('content-encoding')]).toEqual([206, 'long', []])
  })
})

describe('staticFiles()', () => {
  it('accepts options for cache-control and content types, and a URL as the folder', async () => {
    const files = staticFiles('/', pathToFileURL(`${folder}/`), {
      cacheControl: path => (path === 'docs/index.html' ? 'max-age=60' : 'no-store'),
      types: { '.usdz': 'model/vnd.usdz+zip' },
    })
    const handler = signalbox(loadBalancer([files, get('/docs/other', () => noContent())]))
    const headers = async (path: string, name: string) =>
      (await exchange(handler, httpEvent('GET', path))).header(name)
    expect(await headers('/docs/', 'cache-control')).toEqual(['max-age=60'])
    expect(await headers('/model.usdz', 'cache-control')).toEqual(['no-store'])
    expect(await headers('/model.usdz', 'content-type')).toEqual(['model/vnd.usdz+zip'])
  })

  it('refuses unknown options, a missing folder, and a folder with a file that is too large', () => {
    expect(() => staticFiles('/', folder, { cacheContol: '' } as never)).toThrow('cacheControl')
    for (const wrong of [join(folder, 'missing'), join(folder, 'index.html')]) {
      expect(() => staticFiles('/', wrong)).toThrow('there is no folder')
    }
    const large = join(folder, 'docs', 'film.mp4')
    writeFileSync(large, Buffer.alloc(761_857))
    expect(() => staticFiles('/', folder)).toThrow(
      `${join('docs', 'film.mp4')} has 761857 bytes, and an answer has room for a file of 761856`,
    )
    writeFileSync(large, Buffer.alloc(761_856))
    const answer = exchange(
      signalbox(loadBalancer([staticFiles('/', folder)])),
      httpEvent('GET', '/docs/film.mp4'),
    )
    return expect(answer)
      .resolves.toMatchObject({ status: 200 })
      .then(() => rmSync(large))
  })
})
