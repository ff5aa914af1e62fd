import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { codecs } from './index.ts'
import { missingParser } from './missing-parser.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-parser-'))
afterAll(() => rmSync(folder, { recursive: true }))

const head = "import { mailFlow } from '@signalbox/mail-flow'\n"
const calls = `${head}export const a = mailFlow(async mail => ({ text: (await mail.parsed()).text }))`

describe('missingParser()', () => {
  it('returns the place of the first call that parses a mail', () => {
    expect(missingParser(join(folder, 'a.ts'), calls)).toEqual({
      sentence: expect.stringMatching(
        /^mail\.parsed\(\) needs the package postal-mime, .* npm install postal-mime/,
      ),
      at: { line: 2, column: calls.indexOf('.parsed(') - head.length },
    })
    expect(missingParser(join(folder, 'a.ts'), `${head}parseMail(raw)`)?.at).toEqual({ line: 2, column: 0 })
  })

  it.each([
    ['nothing parses a mail', `${head}mailFlow(mail => mail.raw())`],
    ['the module has nothing of mail-flow', 'a.parsed()'],
    ['the function brings a parser', `${calls}\nmailFlow(decide, { parseMessage })`],
  ])('returns undefined if %s', (_, code) => {
    expect(missingParser(join(folder, 'a.ts'), code)).toBeUndefined()
  })

  it('returns undefined if the package is installed', () => {
    expect(missingParser(import.meta.filename, calls)).toBeUndefined()
  })
})

it('a build warns of the call, with its file and line', async () => {
  const entry = join(folder, 'mail.ts')
  writeFileSync(entry, calls)
  const { warnings } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    external: ['@signalbox/*'],
    write: false,
    logLevel: 'silent',
    plugins: [codecs.esbuild()],
  })
  expect(warnings).toMatchObject([
    {
      text: expect.stringContaining('postal-mime'),
      location: { file: expect.stringMatching(/mail\.ts$/), line: 2 },
    },
  ])
})
