import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { freePort } from '@signalbox/platform-runtime/testing/free-port'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { pageVisitor } from '@signalbox/platform-user-pool/testing/page-visitor'
import { cookieBrowser } from './testing/cookie-browser.ts'

const password = 'Right-7even'
const [oldKey, newKey] = [1, 2].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string]
afterEach(() => {
  delete process.env.SIGNALBOX_LOAD_BALANCER_KEY
  delete process.env.SIGNALBOX_LOAD_BALANCER_PREVIOUS_KEY
})

const handlerOf = (name: string) => (event: { readonly headers: object }) => ({
  ...{ statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, headers: {} },
  body: JSON.stringify({ name, ...event.headers }),
})

/** Starts the platform of a folder, which says at `/` who has signed in, and keeps clients with a function at `/sticky`. */
async function started(dataDir: string, port: number) {
  const platform = createPlatform({
    functions: { shop: { handler: handlerOf('shop') }, next: { handler: handlerOf('next') } },
    loadBalancers: {
      web: {
        ...{ port, function: 'shop', authenticate: { pool: 'staff', client: 'web' } },
        rules: [{ path: ['/sticky'], forward: [{ function: 'shop' }, { function: 'next' }], sticky: 600 }],
      },
    },
    userPools: {
      staff: {
        clients: { web: { secret: true, callbacks: [`http://127.0.0.1:${port}/oauth2/idpresponse`] } },
      },
    },
    userPoolListener: { port: 0 },
    control: { port: 0 },
    dataDir,
  } as never)
  const addresses = await platform.start()
  const pool = platform.userPools.get('staff')
  const keys = `${addresses.find(({ source }) => source === 'control')!.url}/load-balancer-keys`
  return {
    pool,
    isPublished: async (kid: string) => (await fetch(`${keys}/${kid}`)).status === 200,
    [Symbol.asyncDispose]: () => platform.stop(),
  }
}

const seenIn = (text: string) => JSON.parse(text) as Record<string, string>
const kidOf = (text: string) => {
  const [head] = seenIn(text)['x-cloud-oidc-data']!.split('.')
  return (JSON.parse(Buffer.from(head!, 'base64').toString()) as { readonly kid: string }).kid
}

it.each<[string, (directory: string) => void, (directory: string) => void]>([
  [
    'of the environment',
    () => {
      process.env.SIGNALBOX_LOAD_BALANCER_KEY = newKey
      process.env.SIGNALBOX_LOAD_BALANCER_PREVIOUS_KEY = oldKey
    },
    () => delete process.env.SIGNALBOX_LOAD_BALANCER_PREVIOUS_KEY,
  ],
  [
    'of a file',
    directory => {
      mkdirSync(join(directory, 'load-balancers/previous'), { recursive: true })
      renameSync(join(directory, 'load-balancers/key'), join(directory, 'load-balancers/previous/key'))
    },
    directory => rmSync(join(directory, 'load-balancers/previous'), { recursive: true }),
  ],
])(
  'a new key %s keeps sessions, sign-ins that have begun, and clients, until the old one is gone',
  async (where, change, forget) => {
    using folder = temporaryFolder()
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    if (where === 'of the environment') process.env.SIGNALBOX_LOAD_BALANCER_KEY = oldKey
    const [ann, bob] = [cookieBrowser(), cookieBrowser()]
    let kid: string
    let stays: string
    {
      await using platform = await started(folder.path, port)
      await platform.pool.users.add('ann', { password })
      const { headers } = await ann.ask(`${url}/`)
      const visitor = pageVisitor(platform.pool.url)
      const returned = await visitor.send(await visitor.open(headers.location!), {
        username: 'ann',
        password,
      })
      kid = kidOf((await ann.follow(returned.url)).text)
      stays = seenIn((await ann.ask(`${url}/sticky`)).text).name!
    }
    // Bob begins with the old key, and comes back when there is a new one.
    let location: string
    {
      await using _ = await started(folder.path, port)
      location = (await bob.ask(`${url}/`)).headers.location!
    }
    change(folder.path)
    {
      await using platform = await started(folder.path, port)
      const { text, status } = await ann.ask(`${url}/`)
      expect([status, await platform.isPublished(kid)]).toEqual([200, true])
      expect(kidOf(text)).not.toBe(kid)
      expect(await platform.isPublished(kidOf(text))).toBe(true)
      for (let count = 0; count < 6; count++)
        expect(seenIn((await ann.ask(`${url}/sticky`)).text).name).toBe(stays)
      const visitor = pageVisitor(platform.pool.url)
      const at = new URL(location)
      const here = new URL(at.pathname + at.search, platform.pool.url)
      const returned = await visitor.send(await visitor.open(here.href), { username: 'ann', password })
      expect((await bob.follow(returned.url)).status).toBe(200)
    }
    forget(folder.path)
    await using platform = await started(folder.path, port)
    expect((await ann.ask(`${url}/`)).status).toBe(302)
    expect(await platform.isPublished(kid)).toBe(false)
    expect((await bob.ask(`${url}/`)).status).toBe(200)
  },
)
