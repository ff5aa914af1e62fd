import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { signalbox } from '../testing/balancer-program.ts'

const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())
// Modules in a temporary folder cannot import packages. Therefore, this is a copy of the data that the package's
// functions return.
const route = { method: 'GET', path: '/orders/{id}', middlewares: [], errors: [], handler: 1 }
writeFileSync(
  join(folder.path, 'shop.ts'),
  `export const routes = [${JSON.stringify(route)}]\nexport const handler = async () => 1`,
)
writeFileSync(
  join(folder.path, 'signalbox.config.ts'),
  `export default { functions: { shop: { module: './shop.ts' }, staff: { module: './staff.ts' } } }`,
)
writeFileSync(join(folder.path, 'staff.ts'), 'export const handler = async () => 1')
const run = (...args: string[]) => signalbox(folder.path, 'openapi', ...args)

describe('signalbox openapi', () => {
  it('prints the OpenAPI document for the routes that a function module exports', async () => {
    const { exitCode, printed } = await run(
      'shop',
      '--title',
      'Orders',
      '--version',
      '1.0.0',
      '--server',
      'https://api.example.com',
    )
    expect(exitCode).toBe(0)
    expect(JSON.parse(printed)).toMatchObject({
      openapi: '3.1.1',
      info: { title: 'Orders', version: '1.0.0' },
      servers: [{ url: 'https://api.example.com' }],
      paths: { '/orders/{id}': { get: { parameters: [{ name: 'id', in: 'path' }] } } },
    })
    expect(JSON.parse((await run('shop')).printed)).toMatchObject({
      info: { title: 'shop', version: '0.0.0' },
    })
  })

  it('explains how to export routes when the module exports none', async () => {
    expect(await run('shop', '--export', 'handler')).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringContaining(
        'shop.ts exports handler, which is not a list of routes. Did you mean --export routes?',
      ),
    })
    expect((await run('shop', '--export', 'nope')).printedErrors).toContain(
      'shop.ts exports no nope. It exports handler, routes. Did you mean --export routes?',
    )
    expect((await run('staff')).printedErrors).toContain(
      'staff.ts exports no routes. It exports handler. If the function serves HTTP requests, export the list',
    )
    expect((await run('shpo')).printedErrors).toContain('There is no function "shpo". Did you mean shop?')
    expect((await run()).printedErrors).toContain('openapi needs a function.')
  })
})
