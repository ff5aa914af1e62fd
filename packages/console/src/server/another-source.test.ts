import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { AnySourceModule } from '@signalbox/platform-runtime'
import { type AnyConsolePart, route } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { bellConsole, bellModule } from '../testing/bell-source.ts'
import { type ConsolePlatform, consolePlatform } from '../testing/console-platform.ts'

const key = (id: string) => ({ id, secret: `secret-of-${id}-which-is-long` })
const config = {
  functions: {},
  bells: { door: '1234', garden: '5678' },
  access: {
    identities: {
      none: { keys: [key('NONE')], rights: { queues: {} } },
      reader: { keys: [key('READ')], rights: { console: { read: ['*'] } } },
      actor: { keys: [key('ACT')], rights: { console: { read: ['*'], act: ['*'] } } },
    },
  },
} as const
let setup: ConsolePlatform
beforeAll(async () => {
  setup = await consolePlatform(config, {}, [bellModule])
})
afterAll(() => setup.platform.stop())

const ask = async (id: string | undefined, path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${setup.origin}/console/api${path}`, {
    ...init,
    headers: {
      ...(id !== undefined && { authorization: `Bearer ${id}.${key(id).secret}` }),
      'x-signalbox-console': '1',
      ...init.headers,
    },
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: answer.status,
    body: isJson ? (JSON.parse(text) as unknown) : text,
    headers: answer.headers,
  }
}

describe('a source that only its own module names', () => {
  it('has its pages in the list of pages', async () => {
    const { status, body } = await ask('READ', '/pages')
    expect(status).toBe(200)
    expect(
      (body as readonly { readonly part: string }[]).filter(({ part }) => part === 'bells'),
    ).toMatchObject([
      { name: 'bells', title: 'Bells', contents: { tables: [{ rows: '/bells' }] } },
      { name: 'rings', title: 'Rings', contents: { tables: [{ rows: '/bells' }] } },
    ])
    expect((await ask('READ', '/parts')).body).toMatchObject({
      ...{ bells: { isUsed: true }, queues: { isUsed: false }, access: { isUsed: true } },
    })
  })

  it('answers at its routes, and shows secrets only to visitors who may act', async () => {
    const rows = (codes: readonly string[]) => [
      { name: 'door', rings: 0, code: codes[0] },
      { name: 'garden', rings: 0, code: codes[1] },
    ]
    expect(await ask('ACT', '/bells')).toMatchObject({ status: 200, body: rows(['1234', '5678']) })
    expect(await ask('READ', '/bells')).toMatchObject({ status: 200, body: rows(['hidden', 'hidden']) })
    expect(await ask('READ', '/bells/none')).toMatchObject({
      status: 404,
      body: { error: 'There is no bell none.' },
    })
  })

  it.each([
    ['GET', '/bells'],
    ['GET', '/bells/door'],
    ['GET', '/bells/door/label'],
    ['POST', '/bells/door/rings'],
    ['DELETE', '/bells/door'],
  ])('needs a key and the right for %s %s', async (method, path) => {
    expect((await ask(undefined, path, { method })).status).toBe(401)
    expect((await ask('NONE', path, { method })).status).toBe(403)
    if (method !== 'GET') expect((await ask('READ', path, { method, body: '{}' })).status).toBe(403)
    const foreign = { method, headers: { origin: 'https://evil.example' } }
    expect((await ask('ACT', path, foreign)).status).toBe(403)
  })

  it('carries out changes, and answers 409 when it refuses them', async () => {
    const ring = () => ask('ACT', '/bells/garden/rings', { method: 'POST', body: '{}' })
    expect([(await ring()).status, (await ring()).status]).toEqual([204, 204])
    expect(await ring()).toMatchObject({ status: 409, body: { error: 'The bell is worn out.' } })
    expect((await ask('ACT', '/bells/garden')).body).toMatchObject({ rings: 2 })
  })

  it('sends files with a policy that runs nothing, and hides secrets in them', async () => {
    const { headers, body } = await ask('ACT', '/bells/door/label')
    expect(body).toBe('<b>1234</b>')
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*; sandbox$/)
    expect((await ask('READ', '/bells/door/label')).body).toBe('<b>hidden</b>')
  })

  it('has its logged routes and its files in the access log', async () => {
    await ask('READ', '/bells/door')
    const { body } = await ask('ACT', '/access-log?identity=reader&last=1000')
    const seen = (body as readonly { readonly result: string; readonly resource: string }[])
      .filter(({ result }) => result === 'allowed')
      .map(({ resource }) => resource)
    expect([...new Set(seen)].sort()).toEqual(['bells/door', 'bells/door/label', 'bells/none'])
  })

  it('has its numbers in the live stream', async () => {
    const abort = new AbortController()
    const { body } = await setup.fetch('/console/api/live', {
      signal: abort.signal,
      headers: { authorization: `Bearer READ.${key('READ').secret}` },
    })
    let text = ''
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (/event: numbers\ndata: .*\n\n/.test(text)) break
    }
    abort.abort()
    expect(JSON.parse(/event: numbers\ndata: (.*)/.exec(text)![1]!)).toMatchObject({
      bells: [{ name: 'door', rings: 0 }, { name: 'garden' }],
    })
  })
})

/** Returns the module of bells with another part in the console. */
const moduleWith = (part: AnyConsolePart): AnySourceModule => ({
  ...bellModule,
  open: () => ({ sources: [], access: {}, console: async () => part }),
})

it('a platform does not start when two sources have the same route in the console', async () => {
  const routes = { bells: route('GET', '/queues/{bell}', { returns: { 200: t.string } }) }
  const handlers = () => ({ bells: async () => '' })
  const { pages: _, ...rest } = bellConsole([])
  const module = moduleWith({ ...rest, routes, handlers })
  await expect(consolePlatform(config, {}, [module])).rejects.toThrow(
    'Two parts of the console have the route GET /queues/:bell.',
  )
})

const [bells] = bellConsole([]).pages!

it('a platform does not start when a page names a route of another source', async () => {
  const { about, tables } = bells!.contents!
  const contents = { about, tables: [{ ...tables[0]!, rows: '/queues' }] }
  const module = moduleWith({ ...bellConsole([]), pages: [{ ...bells!, contents }] })
  await expect(consolePlatform(config, {}, [module])).rejects.toThrow(
    'The page bells of the console names GET /queues, but its source has only GET /bells,',
  )
})

it.each([
  ['twice in one source', ['bells', 'bells']],
  ['of another source, whose page is made by hand', ['queues']],
  ['of a page that belongs to no source', ['try']],
  ["of the web application's files", ['assets']],
])('a platform does not start when a page has a name %s', async (_, names) => {
  const module = moduleWith({ ...bellConsole([]), pages: names.map(name => ({ ...bells!, name })) })
  await expect(consolePlatform(config, {}, [module])).rejects.toThrow(
    `The address /console/${names[0]} of a page of the part bells is taken by another page.`,
  )
})

it.each(['', 'a/b', '..', 'ä'])('a platform does not start when a page has the name %j', async name => {
  const module = moduleWith({ ...bellConsole([]), pages: [{ ...bells!, name }] })
  await expect(consolePlatform(config, {}, [module])).rejects.toThrow(
    `A page of the part bells has the name ${JSON.stringify(name)}: expected letters, digits and hyphens.`,
  )
})
