import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { accessFileProblems, accessProblems, accessSettings, functionRights } from './access-settings.ts'

const known = [functionRights, { collection: 'queues', names: ['send', 'receive'] }]
const config = { functions: { shop: {} } }
const lines = (access: unknown) =>
  accessProblems(access, known, config).map(
    ({ pointer, expected, actual }) => `${pointer}: ${expected}; ${actual}`,
  )

it('a valid `access` configuration has no problems', () => {
  expect(
    lines({
      identities: {
        shop: {
          keys: [{ id: 'shop@example.com', secret: { env: 'KEY' } }],
          rights: { queues: { send: ['orders', 'new-*'] }, functions: { invoke: ['shop', 's*'] } },
        },
        idle: {},
      },
    }),
  ).toEqual([])
})

it('all problems of an invalid `access` configuration are listed, and the list contains no secret', () => {
  const found = lines({
    identites: {},
    identities: {
      operator: {},
      'a b': {},
      shop: {
        keys: [
          { id: 'a/b', secret: '' },
          { id: 'x' },
          { id: 'same', secret: 'hidden text' },
          { id: 'same', secret: 7 },
        ],
        rights: { queue: {}, queues: { sned: ['a'], receive: 'orders' }, functions: { invoke: ['shpo'] } },
      },
      odd: 7,
    },
  })
  expect(found.map(line => line.replace(/;.*/, ''))).toMatchInlineSnapshot(`
[
  "/access/identites: the name identities",
  "/access/identities/operator: another name: this is the identity of the command line",
  "/access/identities/a b: a name of letters, digits, - and _, 64 at most",
  "/access/identities/shop/keys/0/id: a text of 1 to 128 characters without spaces, /, : and commas",
  "/access/identities/shop/keys/0/secret: a text, { env: NAME } or { file: PATH }",
  "/access/identities/shop/keys/1/secret: a text, { env: NAME } or { file: PATH }",
  "/access/identities/shop/keys/3/secret: a text, { env: NAME } or { file: PATH }",
  "/access/identities/shop/rights/queue: the name queues",
  "/access/identities/shop/rights/functions/invoke/0: one of shop",
  "/access/identities/shop/rights/queues/receive: array",
  "/access/identities/shop/rights/queues/sned: the name send",
  "/access/identities/odd: an object",
  "/access/identities/shop/keys/3/id: an id that no other key has",
]
`)
  expect(found.join()).not.toContain('hidden text')
})

it('access secrets can be read from the environment or a file, and short secrets are refused', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'secret')
  writeFileSync(path, 'sixteen letters!\n', { mode: 0o600 })
  process.env.ACCESS_TEST_SECRET = 'too short'
  const access = (secret: object) => ({
    identities: { shop: { keys: [{ id: 'shop', secret: secret as never }] } },
  })
  expect(accessFileProblems(access({ file: path }), '/')).toEqual([])
  expect(accessSettings(access({ file: path }), '/')).toEqual({
    identities: [
      { name: 'shop', keys: [{ accessKeyId: 'shop', secretAccessKey: 'sixteen letters!' }], rights: {} },
    ],
  })
  const pointer = '/access/identities/shop/keys/0/secret'
  expect(accessFileProblems(access({ env: 'ACCESS_TEST_SECRET' }), '/')).toEqual([
    { pointer, expected: 'a secret of at least 16 characters', actual: 'a shorter one' },
  ])
  expect(accessFileProblems(access({ env: 'ACCESS_TEST_NOTHING' }), '/')).toMatchObject([{ pointer }])
  expect(accessFileProblems(undefined, '/')).toEqual([])
  expect(accessSettings(undefined, '/')).toBeUndefined()
})
