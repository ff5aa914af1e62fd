// `npm run fuzz`, `npm run fuzz -- queue`, `npm run fuzz -- queue --runs 1000 --seed 7`: runs every `*.fuzz.ts` of
// the packages (or of the one named) for long. Each exports `fuzz(runs, seed)`, which throws on a failure.
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '100000' }, seed: { type: 'string' } },
})
const [name = '*'] = positionals
const runs = Number(values.runs)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const files = globSync(`packages/${name}/src/**/*.fuzz.ts`).sort()
if (files.length === 0) {
  console.error(`No fuzz files in packages/${name}. Name a package, such as queue, or none for all.`)
  process.exit(2)
}
let failed = 0
for (const file of files) {
  const started = Date.now()
  try {
    const { fuzz } = await import(pathToFileURL(resolve(file)).href)
    const figures = await fuzz(runs, seed)
    console.log(`ok   ${file} (${((Date.now() - started) / 1000).toFixed(1)} s, seed ${seed}): ${figures}`)
  } catch (error) {
    failed++
    console.log(`FAIL ${file} (seed ${seed})`)
    console.log(error)
  }
}
console.log(`${files.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
