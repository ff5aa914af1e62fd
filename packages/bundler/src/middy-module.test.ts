import { execFileSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { codecs } from './index.ts'
import { middyModule } from './middy-module.ts'

const short = (code: string) => middyModule('/index.js', code)?.code

describe('a module of middy for production', () => {
  it('uses the global functions of node:timers', () => {
    expect(short('import { setTimeout, clearTimeout } from "node:timers";\nsetTimeout(run)')).toBe(
      '\nsetTimeout(run)',
    )
    expect(short("import { setImmediate } from 'timers'")).toBe('')
  })

  it.each([
    'import { setTimeout as later } from "node:timers"',
    'import { "setTimeout" as setTimeout } from "node:timers"',
    'import { setTimeout, promises } from "node:timers"',
    'import timers from "node:timers"',
    'import { setTimeout } from "node:timers/promises"',
    'import { setTimeout } from "./timers.js"',
  ])('keeps %s', code => {
    expect(short(code)).toBeUndefined()
  })

  it('has the function `middy` in parentheses', () => {
    expect(short('export const middy = options => ({ options })')).toBe(
      'export const middy = (options => ({ options }))',
    )
    expect(short('const middy = () => {}, other = () => {}')).toBe(
      'const middy = (() => {}), other = () => {}',
    )
    expect(short('let middy; const { a } = b; export default function () {}')).toBeUndefined()
  })

  it('stays as it is if it cannot be parsed', () => {
    expect(short('import {')).toBeUndefined()
  })
})

describe('a bundle', () => {
  const bundled = async (production: boolean) => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import middy from '@middy/core'
const handler = middy({ timeoutEarlyInMillis: 10, timeoutEarlyResponse: () => 'too late' })
  .handler(() => new Promise(() => setTimeout(() => {}, 5_000)))
console.log(await handler({}, { getRemainingTimeInMillis: () => 15 }))
process.exit()`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      format: 'esm',
      platform: 'node',
      minify: true,
      write: false,
      plugins: [codecs.esbuild({ production })],
    })
    return outputFiles[0]!.text
  }

  it('of a handler has the module of middy for production only with the option `production`', async () => {
    expect(await bundled(false)).toContain('node:timers')
    const code = await bundled(true)
    expect(code).not.toContain('node:timers')
    expect(code).toMatch(/=\(\(\w+,\w+\)=>\{/)
    const run = execFileSync(process.execPath, ['--input-type=module', '-e', code])
    expect(run.toString()).toBe('too late\n')
  })
})
