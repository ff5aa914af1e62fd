import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { testInvoker } from '../testing/process-test-invoker.ts'

const around = 'export const handler = () => one'

it.each<[string, string, RegExp]>([
  ['an import without an extension', `import { one } from './order'\n${around}`, /'\.\/order\.ts'\.$/],
  [
    'an import that names the compiled file',
    `import { one } from './order.js'\n${around}`,
    /Cannot find module .* Write the import with the name of the file: '\.\/order\.ts'\.$/,
  ],
  ['an import of a folder', `import { one } from './folder'\n${around}`, /'\.\/folder\/index\.ts'\.$/],
  ['an import through an alias', `import { one } from '@/order.ts'\n${around}`, /does not read "paths" of/],
  [
    'a package that is not installed',
    `import { one } from 'left-padd'\n${around}`,
    / Run npm install, or add the package: npm install left-padd$/,
  ],
  [
    'an import of a type without the keyword type',
    `import { Order, one } from './order.ts'\nexport const order: Order = one\n${around}`,
    /If Order is a type, write import \{ type Order \}: /,
  ],
  ['a misspelt import', `import { oen as one } from './order.ts'\n${around}`, / Did you mean one\?$/],
  [
    'an import in other letters',
    `import { oNE as one } from './order.ts'\n${around}`,
    / Did you mean one\?$/,
  ],
  [
    'exports of CommonJS',
    'exports.handler = () => 1',
    / Write export const handler = … instead of exports\.handler/,
  ],
  ['module.exports of CommonJS', 'module.exports = { handler: () => 1 }', / Write export const handler = …/],
  ['an import of JSON', `import one from './data.json'\n${around}`, / with \{ type: 'json' \}\.$/],
  [
    'an enum',
    `enum Size { small }\nconst one = Size.small\n${around}`,
    / Write an object instead of the enum: /,
  ],
  [
    'a parameter property',
    `class A { constructor(readonly x: number) {} }\nconst one = new A(1)\n${around}`,
    / Declare the property as a field, .* "erasableSyntaxOnly" in tsconfig\.json, the editor reports it\.$/,
  ],
  [
    'a TypeScript namespace',
    `namespace A { export const one = 1 }\nconst { one } = A\n${around}`,
    / Write a module of its own/,
  ],
])('the error for a function that cannot be loaded includes a hint about %s', async (_case, code, hint) => {
  using folder = temporaryFolder()
  const write = (path: string, text: string) => writeFileSync(join(folder.path, path), text)
  mkdirSync(join(folder.path, 'folder'))
  write('package.json', '{"type":"module"}')
  write('order.ts', 'export type Order = number\nexport const one = 1')
  write('folder/index.ts', 'export const one = 1')
  write('data.json', '1')
  write('shop.ts', code)
  const module = pathToFileURL(join(folder.path, 'shop.ts')).href
  await using invoker = testInvoker({ module, folder: folder.path })
  const { failure } = await invoker.invoke({})
  expect(failure).toMatchObject({ kind: 'unloadable', message: expect.stringMatching(hint) })
})

it('the error for an import that is missing and in lower case has no hint about types', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'order.ts'), 'export const one = 1')
  writeFileSync(join(folder.path, 'shop.ts'), `import { queue as one } from './order.ts'\n${around}`)
  await using invoker = testInvoker({
    module: pathToFileURL(join(folder.path, 'shop.ts')).href,
    folder: folder.path,
  })
  expect((await invoker.invoke({})).failure?.message).toMatch(/does not provide an export named 'queue'$/)
})

it('the error for a function that imports a missing file includes no hint', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'shop.ts'), `import './gone'\n${around}`)
  await using invoker = testInvoker({
    module: pathToFileURL(join(folder.path, 'shop.ts')).href,
    folder: folder.path,
  })
  expect((await invoker.invoke({})).failure?.message).toMatch(
    /Cannot find module .*\/gone' imported from .*shop\.ts$/,
  )
})
