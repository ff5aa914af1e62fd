import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'

// The folder is inside this repository, because TypeScript could not find the packages from anywhere else.
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(import.meta.dirname, '.types-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns a program with two routes for each thing, and a typed call of each route. */
function program(things: number): string {
  const all = Array.from({ length: things }, (_, i) => i)
  return `
import { created, get, json, post } from '@signalbox/load-balancer'
import { client } from '@signalbox/load-balancer/client'
import * as t from 'io-ts'
import * as z from 'zod'
const routes = [
${all
  .map(
    i => `get('/things${i}/{id}', {
  query: z.object({ page: z.string().optional() }),
  returns: { 200: t.type({ id: t.string, count${i}: t.number }), 404: t.type({ title: t.string }) },
}, ({ params, query }) => json({ id: params.id, count${i}: Number(query.page) })),
post('/things${i}', { body: t.type({ name: t.string, count${i}: t.number }), returns: { 201: t.type({ id: t.string }) } },
  ({ body }) => created('/things${i}/1', { id: String(body.count${i}) })),`,
  )
  .join('\n')}
]
const api = client<typeof routes>({ baseUrl: 'https://api.example.com' })
${all
  .map(
    i => `export async function count${i}(): Promise<number> {
  const answer = await api.get('/things${i}/{id}', { params: { id: '1' }, query: { page: '1' } })
  return answer.status === 200 ? answer.body.count${i} : 0
}
export const add${i} = () => api.post('/things${i}', { body: { name: 'a', count${i}: 1 } })`,
  )
  .join('\n')}
`
}

/** Returns how many types TypeScript instantiates to check a program. */
function instantiations(things: number): number {
  const config = join(folder, `things${things}.json`)
  writeFileSync(join(folder, `things${things}.ts`), program(things))
  writeFileSync(
    config,
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { rootDir: '../..' },
      include: [`things${things}.ts`],
    }),
  )
  const compiler = join(import.meta.dirname, '../node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', config, '--extendedDiagnostics'])
  const output = stdout.toString()
  expect(output).not.toContain('error TS')
  return Number(/^Instantiations: +(\d+)$/m.exec(output)![1])
}

it('each of a hundred routes and its typed call instantiate at most 2,500 types', () => {
  const few = instantiations(5)
  const many = instantiations(50)
  expect((many - few) / 90).toBeLessThan(2_500)
})
