import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { sesEvent } from '@signalbox/aws/testing'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { run } from '@signalbox/platform-runtime/command-line'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { preSignUpEvent, userMigrationEvent } from '@signalbox/user-pool/testing'
import { fileLimit } from '../check/read-event.ts'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { check } from './check.ts'

const drifted = preSignUpEvent({ validationData: null as never })
const { invocationId: _, ...broken } = mailEvent()

async function checking(files: { readonly [name: string]: unknown }, ...options: string[]) {
  using folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    const raw = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(join(folder.path, name), raw ? content : JSON.stringify(content))
  }
  const captured = captureTerminal(folder.path)
  const exitCode = await run(['check', ...Object.keys(files), ...options], [check], '0', captured.terminal)
  return { exitCode, printed: captured.printed, printedErrors: captured.printedErrors }
}

describe('signalbox check', () => {
  it('exits with code 0 if every event is valid or can be normalized', async () => {
    expect(await checking({ 'a.json': mailEvent(), 'b.json': drifted })).toEqual({
      exitCode: 0,
      printed: [
        '✔ a.json: mail-flow, valid',
        '✔ b.json: user-pool, valid after normalization',
        '    /request/validationData: null became {}',
      ].join('\n'),
      printedErrors: '',
    })
  })

  it('exits with code 1 if an event is invalid, and says where', async () => {
    expect(await checking({ 'a.json': mailEvent(), 'b.json': broken })).toMatchObject({
      exitCode: 1,
      printed: [
        '✔ a.json: mail-flow, valid',
        '✘ b.json: mail-flow, invalid',
        '    /invocationId: expected string, was nothing',
      ].join('\n'),
    })
  })

  it('exits with code 1 if an event belongs to no known family, and names the closest family', async () => {
    const { exitCode, printed } = await checking({ 'a.json': { httpMethod: 'GET', path: '/' }, 'b.json': 7 })
    expect(exitCode).toBe(1)
    expect(printed).toContain('a.json: unknown family. It looks most like a load-balancer event')
    expect(printed).toContain('since it has httpMethod, path')
    expect(printed).toContain('b.json: unknown family. It resembles no known family.')
  })

  it('takes an event of a receipt rule of SES for that of a mail, and names the wrapper', async () => {
    const event = sesEvent(mailEvent())
    const { ses: _, ...empty } = event.Records[0]!
    const files = { 'a.json': event, 'b.json': { Records: [empty] }, 'c.json': { Records: [empty, empty] } }
    const { exitCode, printed } = await checking(files, '--dialect', 'aws')
    const needs = '    A function needs sesMail() of @signalbox/aws around it for this event.'
    expect(exitCode).toBe(1)
    expect(printed).toContain(`✔ a.json: mail-flow, valid\n${needs}\n✘ b.json: mail-flow, invalid\n`)
    expect(printed).toContain('/messageId: expected string, was undefined')
    expect(printed).toContain('✘ c.json: unknown family.')
    expect(await checking({ 'a.json': event })).toMatchObject({
      exitCode: 1,
      printed: '✘ a.json: unknown family. It is a mail-flow event in the dialect aws: use --dialect aws.',
    })
  })

  it('suggests the dialect in which an unknown event is valid', async () => {
    const event = { Records: [{ eventSource: 'aws:sqs' }] }
    const { exitCode, printed } = await checking({ 'a.json': event })
    expect(exitCode).toBe(1)
    expect(printed).toBe(
      '✘ a.json: unknown family. It is a queue event in the dialect aws: use --dialect aws.',
    )
    const { printed: more } = await checking({ 'a.json': event }, '--dialect', 'aws')
    expect(more).toMatch(/^✘ a\.json: queue, invalid\n/)
  })

  it('prints each problem on one line, with control characters as visible symbols', async () => {
    const event = { ...httpEvent('GET', '/'), httpMethod: 'GET\x1b[31m\n\u202e' }
    const { printed } = await checking({ 'a\x1b.json': event })
    expect(printed).toMatch(/^✘ a␛\.json: load-balancer, invalid\n.*'GET\\u001b\[31m\\u000a\ufffd'$/)
    expect((await checking({ 'a.json': event }, '--json')).printed).not.toContain('\u202e')
  })

  it.each([
    ['empty', ' \n', 'it is empty'],
    ['not JSON', '{\r\n "password": "hunter22", oops', 'it is not JSON, it breaks in line 2 at column 26'],
    [
      'too deep',
      `{"a":${'['.repeat(150_000)}${']'.repeat(150_000)}}`,
      'it is nested more than 1000 levels deep',
    ],
    ['cut off', '{"password": "hunter22"', 'it is not JSON, it breaks in line 1 at column 24'],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'it is not text in UTF-8'],
  ])('exits with code 2 for a file that is %s', async (_case, content, why) => {
    const { exitCode, printed } = await checking({ 'a.json': content, 'b.json': broken })
    expect(exitCode).toBe(2)
    expect(printed).toContain(`✘ a.json: ${why}`)
    expect(printed).toContain('b.json: mail-flow, invalid')
    expect(printed).not.toContain('hunter22')
  })

  it('reads brackets in strings as text, however many they are', async () => {
    const event = { ...httpEvent('POST', '/'), body: `\\"${'["'.repeat(2_000_000)}` }
    expect(await checking({ 'a.json': event })).toMatchObject({ exitCode: 0 })
  })

  it('exits with code 2 for a missing file, a file that is too large, and a folder', async () => {
    using folder = temporaryFolder()
    mkdirSync(join(folder.path, 'folder'))
    writeFileSync(join(folder.path, 'large.json'), '')
    truncateSync(join(folder.path, 'large.json'), fileLimit + 1)
    const captured = captureTerminal(folder.path)
    const files = ['missing.json', 'folder', 'large.json']
    expect(await run(['check', ...files], [check], '0', captured.terminal)).toBe(2)
    expect(captured.printed.split('\n')).toEqual([
      '✘ missing.json: there is no such file',
      '✘ folder: it is a folder without sources of JavaScript or TypeScript',
      '✘ large.json: it has 16777217 bytes, and at most 16777216 are read',
    ])
  })

  it('reads a file that starts with a byte order mark', async () => {
    expect(await checking({ 'a.json': `\uFEFF${JSON.stringify(mailEvent())}` })).toMatchObject({
      exitCode: 0,
    })
  })

  it('prints one JSON object per line with --json', async () => {
    const { exitCode, printed } = await checking(
      { 'a.json': drifted, 'b.json': '', 'c.json': broken },
      '--json',
    )
    expect(exitCode).toBe(2)
    expect(printed.split('\n').map(line => JSON.parse(line))).toMatchObject([
      {
        file: 'a.json',
        result: 'normalizable',
        family: 'user-pool',
        drift: [{ pointer: '/request/validationData' }],
      },
      { file: 'b.json', result: 'unreadable', why: 'it is empty' },
      { file: 'c.json', result: 'invalid', family: 'mail-flow', problems: [{ pointer: '/invocationId' }] },
    ])
  })

  it('prints no secrets from an invalid event', async () => {
    const event = userMigrationEvent({ password: ['hunter22'] as never })
    const { exitCode, printed } = await checking({ 'a.json': event }, '--json')
    expect(exitCode).toBe(1)
    expect(printed).toContain('/request/password')
    expect(printed).not.toContain('hunter22')
  })

  it('needs at least one file', async () => {
    const { exitCode, printedErrors } = await checking({})
    expect(exitCode).toBe(2)
    expect(printedErrors).toContain(
      'check needs at least one file or folder.\nUsage: signalbox check FILE|FOLDER… [--json] [--dialect NAME]',
    )
  })
})

describe('signalbox check with sources', () => {
  const loses = `import type { SQSHandler } from 'aws-lambda'
export const handler: SQSHandler = async event => {
  const failures: { itemIdentifier: string }[] = []
  for (const record of event.Records) {
    try { await work(record.body) } catch { failures.push({ itemIdentifier: record.messageId }) }
  }
}`
  const keeps = loses.replace(/\}$/, '  return { batchItemFailures: failures }\n}')

  /** Runs the command in a folder with files. Names with slashes are below folders. */
  async function checkingSources(files: { readonly [name: string]: string }, ...words: string[]) {
    using folder = temporaryFolder()
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true })
      writeFileSync(join(folder.path, name), text)
    }
    const captured = captureTerminal(folder.path)
    const exitCode = await run(['check', ...words], [check], '0', captured.terminal)
    return { exitCode, lines: captured.printed.split('\n') }
  }

  it('prints a line with the place and the row for each mistake below a folder, and how many there are', async () => {
    const files = {
      'src/a.ts': keeps,
      'src/b/orders.ts': loses,
      'src/c.test.jsx': 'export const c = <p>c</p>',
    }
    const { exitCode, lines } = await checkingSources(files, 'src')
    expect(exitCode).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(
        /^src\/b\/orders\.ts:5:59: The handler collects failures .* https:\S+queue\.md#verdict\.empty-response \(batch-response\)$/,
      ),
      '✘ src: 1 mistake in 1 of 3 sources',
    ])
  })

  it('exits with code 0 without a mistake, also for a single source', async () => {
    expect(await checkingSources({ 'a.mts': keeps, 'b.cjs': 'return 1' }, '.', 'a.mts')).toEqual({
      exitCode: 0,
      lines: ['✔ .: 2 sources, no mistake found', '✔ a.mts: 1 source, no mistake found'],
    })
  })

  it('leaves out dependencies, builds and declarations', async () => {
    const names = ['node_modules/a/a.ts', 'dist/a.ts', '.cache/a.ts', 'a.d.ts', 'a.json']
    const files = Object.fromEntries(names.map(name => [name, loses]))
    expect(await checkingSources(files, '.')).toEqual({
      exitCode: 2,
      lines: ['✘ .: it is a folder without sources of JavaScript or TypeScript'],
    })
  })

  it('reads decorators of both kinds and places, and long chains, and passes over declarations', async () => {
    const files = {
      'a.ts': 'class A { accessor x = 1 }',
      'b.ts': '@one export class A {}',
      'c.ts': 'export @one class A {}',
      'd.js': `a${'.b()'.repeat(1500)}`,
      'e.d.ts': 'export declare const x: 1',
    }
    expect(await checkingSources(files, ...Object.keys(files))).toEqual({
      exitCode: 0,
      lines: ['a.ts', 'b.ts', 'c.ts', 'd.js'].map(file => `✔ ${file}: 1 source, no mistake found`),
    })
  })

  it('exits with code 2 for what is no source, and checks the others', async () => {
    const files = { 'src/a.ts': 'export const = 1', 'src/b.ts': loses, 'src/c.js': `${'('.repeat(100_000)}` }
    const { exitCode, lines } = await checkingSources(files, 'src', 'missing.ts')
    expect(exitCode).toBe(2)
    expect(lines).toEqual([
      '✘ src/a.ts: it cannot be parsed from line 1, column 14 on',
      expect.stringContaining('src/b.ts:5:59: '),
      expect.stringContaining('✘ src/c.js: it cannot be parsed'),
      '✘ src: 1 mistake in 1 of 1 source',
      '✘ missing.ts: there is no such file',
    ])
  })

  it('prints a JSON object for each source with --json', async () => {
    const { exitCode, lines } = await checkingSources(
      { 'src/a.ts': keeps, 'src/b.ts': loses },
      'src',
      '--json',
    )
    expect(exitCode).toBe(1)
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { file: 'src/a.ts', result: 'valid' },
      { file: 'src/b.ts', result: 'invalid', mistakes: [{ rule: 'batch-response', line: 5, column: 59 }] },
    ])
  })

  it('passes over what comments of ESLint switch off', async () => {
    const line = 5
    const lines = loses.split('\n')
    expect(lines[line - 1]).toContain('itemIdentifier')
    const before = (comment: string) =>
      [...lines.slice(0, line - 1), comment, ...lines.slice(line - 1)].join('\n')
    const behind = (comment: string) => lines.with(line - 1, `${lines[line - 1]} ${comment}`).join('\n')
    const off = {
      'a.ts': before('// eslint-disable-next-line signalbox/batch-response'),
      'b.ts': before(
        '/* eslint-disable-next-line no-console, signalbox/batch-response -- they may be lost */',
      ),
      'c.ts': before('// eslint-disable-next-line'),
      'd.ts': behind('// eslint-disable-line signalbox/batch-response'),
      'e.ts': `/* eslint-disable signalbox/batch-response */\n${loses}`,
      'f.ts': `/* eslint-disable */\n${loses}\n/* eslint-enable */`,
    }
    expect(await checkingSources(off, '.')).toEqual({
      exitCode: 0,
      lines: ['✔ .: 6 sources, no mistake found'],
    })
    const on = {
      'a.ts': before('// eslint-disable-next-line signalbox/mail-response'),
      'b.ts': `/* eslint-disable */\n/* eslint-enable signalbox/batch-response */\n${loses}`,
      'c.ts': `// eslint-disable\n${loses}`,
      'd.ts': before('// eslint-disabled signalbox/batch-response'),
      'e.ts': before('// eslint-disable-next-line\n'),
      'f.ts': `${loses}\n/* eslint-disable */`,
    }
    expect((await checkingSources(on, '.')).lines.at(-1)).toBe('✘ .: 6 mistakes in 6 of 6 sources')
  })

  it('finds nothing in the functions of the examples of this repository', async () => {
    const captured = captureTerminal(join(import.meta.dirname, '../../../../examples'))
    expect(await run(['check', '.'], [check], '0', captured.terminal)).toBe(0)
    expect(captured.printed).toMatch(/^✔ \.: \d{2,} sources, no mistake found$/)
  })
})

describe('signalbox check --template', () => {
  const template = `
Parameters: {Key: {Type: String, NoEcho: true, Default: "86400"}}
Resources: {Jobs: {Type: AWS::SQS::Queue, Properties: {VisibilityTimeout: !Ref Key}}}`

  async function checkingTemplate(...options: string[]) {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'template.yaml'), template)
    writeFileSync(
      join(folder.path, 'more.config.mjs'),
      'export default { queues: { Jobs: { visibilityTimeout: 60 } } }',
    )
    const captured = captureTerminal(folder.path)
    const exitCode = await run(['check', ...options], [check], '0', captured.terminal)
    return { exitCode, printed: captured.printed, printedErrors: captured.printedErrors }
  }

  it('names the place in the template of what a configuration may not be, and hides secrets', async () => {
    const { exitCode, printedErrors } = await checkingTemplate('--template', 'template.yaml')
    expect(exitCode).toBe(2)
    expect(printedErrors).toContain('/Resources/Jobs/Properties/VisibilityTimeout: expected ')
    expect(printedErrors).not.toContain('86400')
  })

  it('refuses a template that is not UTF-8, whose values would have other letters', async () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'template.yaml'), Buffer.from(`# caf\u00e9${template}`, 'latin1'))
    const captured = captureTerminal(folder.path)
    expect(await run(['check', '--template', 'template.yaml'], [check], '0', captured.terminal)).toBe(2)
    expect(captured.printedErrors).toContain('template.yaml is not text in UTF-8.')
  })

  it('reads a configuration beside the template, and none without one', async () => {
    expect(await checkingTemplate('--template', 'template.yaml', '--config', 'more.config.mjs')).toEqual({
      exitCode: 0,
      printed: 'queues: Jobs',
      printedErrors: '',
    })
    expect((await checkingTemplate('--config', 'more.config.mjs')).printedErrors).toContain(
      '--config needs --template FILE.',
    )
  })
})
