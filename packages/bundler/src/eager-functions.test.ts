import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { eagerFunctions } from './eager-functions.ts'
import { parsed } from './parsed.ts'
import { productionModule } from './production-module.ts'

describe('the functions that are compiled at once', () => {
  it.each(Object.entries(eagerFunctions))('can be arrow functions in %s', (module, names) => {
    const [, packageName, file] = /^([^/]*)\/(.*)$/.exec(module)!
    const path = join(import.meta.dirname, '../..', packageName!, 'src', `${file}.ts`)
    const code = readFileSync(path, 'utf8')
    const { body } = parsed(path, code)!.program
    for (const name of names) {
      const made = body
        .map(each => (each.type === 'ExportNamedDeclaration' ? each.declaration : each))
        .find(each => each?.type === 'FunctionDeclaration' && each.id?.name === name)
      expect(made).toMatchObject({ async: false, generator: false })
      expect(JSON.stringify(made)).not.toMatch(
        /"type":"(?:ThisExpression|MetaProperty)"|"identifierName":"arguments"/,
      )
    }
  })

  const short = (code: string, path = '/dist/message/read-message.js') =>
    productionModule(path, '@signalbox/queue', code)?.code

  it('are in parentheses, before everything that may use them, and after the imports', () => {
    expect(
      short(`import a from 'a'
const reader = messageReader()
export function messageReader(codec = a) { return codec }
function other() {}`),
    ).toBe(`import a from 'a'
export const messageReader = ((codec = a) => { return codec });
const reader = messageReader()

function other() {}`)
    expect(short('messageReader()\nfunction messageReader() {}')).toBe(
      '\nconst messageReader = (() => {});messageReader()\n',
    )
  })

  it('stay declarations in other modules and in sources', () => {
    expect(short('function messageReader() {}', '/dist/message/message.js')).toBeUndefined()
    expect(short('function messageReader() {}', '/src/message/read-message.ts')).toBeUndefined()
  })
})
