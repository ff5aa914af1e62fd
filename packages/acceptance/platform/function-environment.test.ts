import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from '@jest/globals'
import { type Config, createPlatform } from '@signalbox/platform'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

const key = Buffer.alloc(32, 7).toString('base64')
const given = {
  SIGNALBOX_ACCESS_KEY: key,
  SIGNALBOX_USER_POOL_KEY: key,
  SIGNALBOX_POSTGRES_URL: 'postgres://u:p@127.0.0.1:1/d',
  SIGNALBOX_NEXT_KEY: key,
  SIGNALBOX_CODE_KEY: key,
  SHOP_SECRET: 'a secret of sixteen',
  LOGIN_SECRET: 'another secret',
  ADMIN_NOTE: 'for functions',
  NODE_ENV: 'production',
}
const before = { ...process.env }
afterEach(() => {
  for (const name of Object.keys(given)) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
})

/** Returns the given variables that a function finds in its environment. */
async function environmentOf(fields: object, rest: object = {}): Promise<object> {
  using folder = temporaryFolder()
  const names = JSON.stringify([...Object.keys(given), 'SIGNALBOX_CONTROL', 'SIGNALBOX_CONTROL_TOKEN', 'env'])
  writeFileSync(
    join(folder.path, 'shop.mjs'),
    `export const handler = () => Object.fromEntries(${names}.flatMap(each => each in process.env ? [[each, process.env[each]]] : []))`,
  )
  const platform = createPlatform(
    {
      functions: { shop: { module: './shop.mjs', instances: 1, ...fields } },
      control: { port: 0 },
      storage: undefined,
      dataDir: ':memory:',
      ...rest,
    } as unknown as Config,
    { root: folder.path },
  )
  try {
    await platform.start()
    const { payload, failure } = await platform.invoke('shop', {})
    expect(failure).toBeUndefined()
    return JSON.parse(payload!)
  } finally {
    await platform.stop()
  }
}

/** A configuration whose secrets are in the environment. */
const secrets = {
  access: {
    identities: { shop: { keys: [{ id: 'SHOPSHOPSHOPSHOP', secret: { env: 'SHOP_SECRET' } }], rights: {} } },
  },
  userPools: {
    staff: {
      clients: { web: {} },
      identityProviders: {
        Login: { issuer: 'https://login.example', clientId: 'a', clientSecret: { env: 'LOGIN_SECRET' } },
      },
    },
  },
  userPoolListener: { port: 0 },
}

it('functions inherited the keys of the platform, and every secret of its configuration', async () => {
  Object.assign(process.env, given)
  delete process.env.SIGNALBOX_POSTGRES_URL
  const found = await environmentOf({}, secrets)
  expect(found).toEqual({
    SIGNALBOX_CODE_KEY: expect.any(String),
    SIGNALBOX_CONTROL: expect.stringContaining('http://127.0.0.1:'),
    SIGNALBOX_CONTROL_TOKEN: expect.any(String),
    ADMIN_NOTE: 'for functions',
    NODE_ENV: 'production',
  })
})

it('a function gets a key of the platform when its own "env" passes it', async () => {
  Object.assign(process.env, given)
  delete process.env.SIGNALBOX_POSTGRES_URL
  const env = { SIGNALBOX_ACCESS_KEY: 'passed', SHOP_SECRET: 'passed too' }
  expect(await environmentOf({ env }, secrets)).toMatchObject(env)
})

it('the "env" of a function is no secret of the configuration, whatever its names', async () => {
  Object.assign(process.env, given)
  delete process.env.SIGNALBOX_POSTGRES_URL
  expect(await environmentOf({ env: { env: 'ADMIN_NOTE' } })).toMatchObject({
    env: 'ADMIN_NOTE',
    ADMIN_NOTE: 'for functions',
  })
})
