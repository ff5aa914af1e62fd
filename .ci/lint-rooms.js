// Checks that no file imports one of another package by a relative path, that the folders of each package stand in the
// order of rooms.js, and that folders and the files beside them do not import each other in a circle.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { rooms } from './rooms.js'

/** An import by a relative path, also of a type or of a file that is started. */
const imports = /(?:\bfrom|\bimport\(?|\bnew URL\()\s*['`](\.[^'`]+)['`]/g

for (const home of ['packages/*', 'examples', 'benchmarks'].flatMap(each => globSync(each)).sort())
  checkRelativeImports(home)
for (const name of globSync('packages/*/src')
  .map(src => src.split(sep)[1])
  .sort())
  checkPackage(name, join('packages', name, 'src'), rooms[name] ?? [])

/** Refuses imports that lead out of a package, also those of tests. Other files, such as pages of docs, may be read. */
function checkRelativeImports(home) {
  const exclude = ['**/node_modules/**', '**/dist/**']
  for (const file of globSync('**/*.{ts,tsx,js,mjs}', { cwd: home, exclude }))
    for (const [, specifier] of readFileSync(join(home, file), 'utf8').matchAll(imports))
      if (/\.(ts|tsx|js|mjs)$/.test(specifier) && normalize(join(dirname(file), specifier)).startsWith('..'))
        fail(
          `${home}/${file} imports ${specifier}. Expected an entry of that package, such as @signalbox/core`,
        )
}

function checkPackage(name, src, order) {
  for (const folder of globSync('*/', { cwd: src }).map(folder => relative('.', folder)))
    if (!order.includes(folder)) fail(`${src}/${folder}: rooms.js does not list this folder`)
  for (const folder of order)
    if (!existsSync(join(src, folder)))
      fail(`packages/${name}: rooms.js lists ${folder}, which does not exist`)
  const arrows = globSync('**/*.{ts,tsx,js,mjs}', { cwd: src }).flatMap(file => arrowsOf(file, src))
  const upward = arrows.filter(
    ({ from, to }) => order.includes(from) && order.indexOf(to) > order.indexOf(from),
  )
  for (const { file, target, from, to } of upward)
    fail(`${src}/${file} imports ${target}, but rooms.js has ${from} before ${to}`)
  if (upward.length > 0) return
  for (const { file, target, from, to } of arrows)
    if (reachedFrom(to, arrows).has(from))
      fail(`${src}/${file} imports ${target}, which closes a circle of ${from} and ${to}`)
}

/** Returns the imports from one room to another. A room is a folder of `src`, or a file beside the folders. */
function arrowsOf(file, src) {
  const isTest = /\.(test|tst|fuzz)\.ts$/.test(file) || file.split(sep).includes('testing')
  return [...readFileSync(join(src, file), 'utf8').matchAll(imports)]
    .map(([, specifier]) => normalize(join(dirname(file), specifier)))
    .filter(target => !target.startsWith('..') && existsSync(join(src, target)))
    .map(target => ({ file, target, from: roomOf(file), to: roomOf(target) }))
    .filter(({ from, to }) => from !== to && !(isTest && (to === 'testing' || to.includes('.'))))
}

function roomOf(file) {
  return file.split(sep)[0]
}

function reachedFrom(room, arrows) {
  const reached = new Set([room])
  for (const each of reached) for (const { from, to } of arrows) if (from === each) reached.add(to)
  return reached
}

function fail(text) {
  console.error(text)
  process.exitCode = 1
}
