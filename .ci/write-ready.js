// The last step of a family's build. It writes the codecs of `src/contract/ready.ts` as guards and tables into
// `dist/contract/ready.js`, and replaces the compiler's output there, which would compile the codecs at run time. Both
// versions come from the same tables. It runs in the folder of the package, under the condition @signalbox/source.
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const load = path => import(pathToFileURL(resolve(path)).href)
// The import is relative to the folder of the package, which depends on the codec package.
const { called, exactSourceOf, printReady, sourceOf } = await load('../codec/src/ahead/index.ts')
const conditions = existsSync('src/contract/conditions.ts') ? await load('src/contract/conditions.ts') : {}
const exported = Object.entries(await load('src/contract/ready.ts'))

const used = new Set()
const byValue = new Map(Object.entries(conditions).map(([name, value]) => [value, name]))
const names = {
  get(value) {
    const name = byValue.get(value)
    if (name !== undefined) used.add(name)
    return name
  },
}

/** The code that is printed, by the names of the constants. */
const printed = { codecs: {}, guards: {}, maps: {}, exactMaps: {} }
const rest = []
const mapOf = (value, source) =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, source(each)]))
for (const [name, value] of exported) {
  const source = sourceOf(value)
  if (source) printed[typeof value === 'function' ? 'guards' : 'codecs'][name] = source
  else if (Object.values(value).every(each => sourceOf(Object(each))))
    printed.maps[name] = mapOf(value, sourceOf)
  else if (Object.values(value).every(each => exactSourceOf(Object(each))))
    printed.exactMaps[name] = mapOf(value, exactSourceOf)
  else rest.push(`export const ${name} = ${JSON.stringify(value)}\n`)
}
const code = printReady(printed, names)
const helpers = [...Object.keys(called), 'readyCodec'].filter(name => code.includes(`${name}(`))
const header = [
  '// Written by the build of this package from src/contract/ready.ts.\n',
  `import { ${helpers.join(', ')} } from '@signalbox/codec/ready'\n`,
  used.size > 0 ? `import { ${[...used].sort().join(', ')} } from './conditions.js'\n` : '',
]
writeFileSync('dist/contract/ready.js', [...header, code, ...rest].join(''))
