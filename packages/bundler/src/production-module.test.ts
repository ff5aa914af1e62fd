import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { codecs } from './index.ts'
import { productionModule, shortErrors } from './production-module.ts'

const short = (code: string) => productionModule('/src/options.ts', '@signalbox/core', code)?.code

describe('a module for production', () => {
  it('is unchanged if it throws no option errors and does not check the environment', () => {
    expect(short('throw new TypeError("a")')).toBeUndefined()
  })

  it('contains `false` instead of each check for development or hints', () => {
    expect(short('const warn = inDevelopment() ? a : inDevelopmentOrTest() && withHints()')).toBe(
      'const warn = false ? a : false && false',
    )
    expect(short('const warn = isSchema(a) || isLater(b)')).toBeUndefined()
    expect(short('export function inDevelopment() {}')).toBe('export function inDevelopment() {}')
  })

  it('contains `false` instead of each check for schemas if the user code makes none', () => {
    const code = 'export default isSchema(a) ? b : await isLater(c)'
    const shortFor = (userCode: string) =>
      productionModule('/options.ts', '@signalbox/queue', code, userCode)?.code
    expect(shortFor("import { standard } from 'a'")).toBe('export default false ? b : await false')
    expect(shortFor("import { standard } from '@signalbox/codec'")).toBeUndefined()
    expect(shortFor('byType({})')).toBeUndefined()
  })

  it('contains a file and line instead of each error message, and keeps the cause', () => {
    expect(short('\nif (a) throw new InvalidOptionError(`not a`, { cause })')).toBe(
      '\nif (a) throw new InvalidOptionError("options:2", { cause })',
    )
    expect(short('throw new InvalidOptionError()')).toBe('throw new InvalidOptionError()')
  })

  it('reports the line of the call if a function only creates an option error', () => {
    const calls = "\nif (a) refuse(a, 'a text')\nthrow invalid('is bad')"
    const makers = `function refuse(value, expected) { throw new InvalidOptionError(\`\${value} is not \${expected}\`) }
const invalid = why => new InvalidOptionError(\`It \${why}\`)`
    expect(short(makers + calls)).toBe(`function refuse(place) { throw new InvalidOptionError(place) }
const invalid = place => new InvalidOptionError(place)
if (a) refuse("options:3")
throw invalid("options:4")`)
  })

  it('keeps the call and the name of the option in an error message', () => {
    const thrown = (message: string) => `throw new InvalidOptionError(${message})`
    expect(short(thrown(`\`\${where} has no option \${JSON.stringify(name)}. \${hint(name)}\``))).toBe(
      thrown(`\`\${where} has no option \${name}\``),
    )
    expect(short(thrown(`\`The route \${where} has no handler\``))).toBe(thrown(`\`\${where} (options:1)\``))
    expect(short(thrown(`\`once(): \${name} is \${value}\``))).toBe(thrown(`\`\${name} (options:1)\``))
    expect(short(thrown(`\`\${value} is not \${expected}\``))).toBe(thrown('"options:1"'))
    const maker = `function refuse(where, name, value) { ${thrown(`\`\${where}: \${name} is \${value}\``)} }`
    expect(short(`${maker}\nrefuse(a, 'limit', b)\nrefuse('queue()', a.b, c)`)).toBe(
      `function refuse(place) { throw new InvalidOptionError(place) }
refuse(\`\${a}: limit\`)
refuse(\`queue(): \${a.b}\`)`,
    )
    const inner = `const invalid = why => new InvalidOptionError(\`The cookie \${JSON.stringify(name)} \${why}\`)`
    expect(short(`${inner}\nthrow invalid('is long')`)).toBe(
      'const invalid = place => new InvalidOptionError(place)\nthrow invalid("options:2")',
    )
  })

  it('keeps the texts of errors that can depend on what only a deployed function has', () => {
    const code = `function refuse(why) { throw new InvalidOptionError(\`Install it: \${why}\`) }
if (inDevelopment()) refuse(a)`
    expect(productionModule('/src/mail/parse-mail.ts', '@signalbox/mail-flow', code)?.code).toBe(
      code.replace('inDevelopment()', 'false'),
    )
  })

  it('reports the line of the throw, not of the call, if the function is exported', () => {
    expect(short('export function refuse(value) { throw new InvalidOptionError(value) }\nrefuse(a)')).toBe(
      'export function refuse(value) { throw new InvalidOptionError("options:1") }\nrefuse(a)',
    )
  })
})

it('each module with short errors exists, throws option errors, and has a file name of its own', () => {
  const packages = join(import.meta.dirname, '../..')
  const codeOf = (module: string) =>
    readFileSync(join(packages, `${module.replace('/', '/src/')}.ts`), 'utf8')
  for (const module of shortErrors) expect(codeOf(module)).toContain('new InvalidOptionError(')
  const files = [...shortErrors].map(module => basename(module))
  expect(files.filter((file, i) => files.indexOf(file) !== i)).toEqual([])
})

describe('the option `production`', () => {
  async function refusal(production?: boolean): Promise<unknown> {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { systemClock } from '@signalbox/core'
import { queue } from '@signalbox/queue'
try { queue({ onMessage() {}, concurrency: -1, clock: systemClock }) } catch (error) { globalThis.refusal = [error.name, error.message] }`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      format: 'iife',
      platform: 'node',
      mainFields: ['module', 'main'],
      conditions: ['@signalbox/source'],
      write: false,
      plugins: [codecs.esbuild(production === undefined ? {} : { production })],
    })
    const scope: { refusal?: unknown } = {}
    new Function('globalThis', outputFiles[0]!.text)(scope)
    return scope.refusal
  }

  it('shortens an error message to its call and option, and keeps the check and the error class', async () => {
    expect(await refusal()).toEqual([
      'InvalidOptionError',
      'queue(): concurrency is -1, expected a whole number above 0, or Infinity',
    ])
    expect(await refusal(true)).toEqual(['InvalidOptionError', 'queue(): concurrency'])
  })
})
