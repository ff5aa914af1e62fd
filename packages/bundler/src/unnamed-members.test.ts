import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { codecs } from './index.ts'
import { unneededImports, wordsOf } from './unnamed-members.ts'

describe('unneededImports()', () => {
  it('returns an import only if the code contains none of its words', () => {
    const unneeded = (code: string) => [
      ...unneededImports('@signalbox/load-balancer', 'request/http-request', code),
    ]
    expect(unneeded('({ query, cookies }) => query.first("a")')).toEqual([
      ['clientAddress', 'clientAddress'],
      ['webRequest', 'toWebRequest'],
    ])
    expect(unneeded('r["clientAddress"] + r.query, fromFetch(app), sealedSession()')).toEqual([])
    expect(unneeded('queryOf(myCookies)').map(([name]) => name)).toContain('queryValues')
    expect([...unneededImports('@signalbox/load-balancer', 'request/values', '')]).toEqual([])
  })

  it.each(Object.entries(wordsOf))('lists only names that %s really imports', (place, imports) => {
    const [folder, ...path] = place.split('/')
    const file = join(import.meta.dirname, '../..', folder!, 'src', `${path.join('/')}.ts`)
    expect(existsSync(file)).toBe(true)
    const statements = readFileSync(file, 'utf8')
      .match(/^import [^;]*? from /gm)!
      .join('\n')
    for (const name of Object.keys(imports)) expect(statements).toMatch(new RegExp(`[{,]\\s*${name}\\b`))
  })
})

describe('a bundle for production', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-members-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Bundles a queue function that answers with `result`, and returns the result and the files of the bundle. */
  async function run(result: string, head = '', production = true) {
    const path = join(folder, 'handler.js')
    const outfile = join(folder, `${Math.random()}.mjs`)
    writeFileSync(
      path,
      `${head}
import { signalbox } from '@signalbox/core'
import { queue } from '@signalbox/queue'
export const results = []
export const handler = signalbox(queue({
  onMessage: message => void results.push(${result}),
  onFailure: (_, reason) => results.push(String(reason)),
  log: false,
}))`,
    )
    const { metafile } = await build({
      entryPoints: [path],
      nodePaths: [fileURLToPath(new URL('../../../node_modules', import.meta.url))],
      bundle: true,
      format: 'esm',
      platform: 'node',
      mainFields: ['module', 'main'],
      conditions: ['@signalbox/source'],
      external: ['outside'],
      outfile,
      metafile: true,
      plugins: [codecs.esbuild({ production })],
    })
    const inputs = Object.values(metafile.outputs)[0]!.inputs
    const files = Object.keys(inputs).filter(file => inputs[file]!.bytesInOutput > 0)
    return { outfile, decodes: files.some(file => file.endsWith('/message-attributes.ts')) }
  }

  async function resultsOf(outfile: string): Promise<readonly unknown[]> {
    const { handler, results } = (await import(pathToFileURL(outfile).href)) as {
      handler: (event: unknown, context: unknown) => Promise<unknown>
      results: readonly unknown[]
    }
    const record = {
      messageId: 'm1',
      receiptHandle: 'r1',
      body: '',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '1',
        SenderId: 's',
        ApproximateFirstReceiveTimestamp: '1',
      },
      messageAttributes: { kind: { stringValue: 'new', dataType: 'String' } },
      md5OfBody: '',
      eventSource: 'cloud:queue',
      eventSourceARN: 'arn:queue',
      cloudRegion: 'here',
    }
    await handler({ Records: [record] }, {})
    return results
  }

  it('has the code for message attributes if the function names them', async () => {
    const { outfile, decodes } = await run('message.attributes.kind.value')
    expect(decodes).toBe(true)
    expect(await resultsOf(outfile)).toEqual(['new'])
  })

  it('lacks the code for message attributes if the function does not name them, and throws when they are used', async () => {
    const { outfile, decodes } = await run('message[["attri", "butes"].join("")].kind.value')
    expect(decodes).toBe(false)
    expect(await resultsOf(outfile)).toEqual(['TypeError: attributes is not bundled'])
  })

  it.each([
    ['imports code that is not bundled', 'message.body', "import 'outside'", true],
    ['imports a module by a computed name', 'message.body', 'export const load = name => import(name)', true],
    ['is not for production', 'message.body', '', false],
  ])('has all code if the function %s', async (_, result, head, production) => {
    expect((await run(result, head, production)).decodes).toBe(true)
  })
})
