// `npm run fuzz`, `npm run fuzz -- queue` and `npm run fuzz -- queue --runs 1000 --seed 7` run every `*.fuzz.ts` of all
// packages, or of the named package, for a long time. Each file exports `fuzz(runs, seed)`, which throws on a failure.
// Otherwise it returns a sentence that begins with the number of cases. A case that uses sockets counts as several
// runs. `npm run fuzz -- acceptance --total 100000` runs all files with new seeds until this number of cases is reached.
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = asked()
const [name = '*'] = positionals
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const total = values.total === undefined ? undefined : Number(values.total)
for (const [option, number] of Object.entries({ runs: Number(values.runs), total: total ?? 0, seed })) {
  if (!Number.isSafeInteger(number)) refuse(`--${option} is '${values[option]}', expected a whole number.`)
}
const files = globSync([
  `packages/${name}{,-*}/src/**/*.fuzz.ts`,
  `packages/${name}/platform/*.fuzz.ts`,
]).sort()
if (files.length === 0)
  refuse(`No fuzz files in packages/${name}. Name a package, such as queue, or none for all.`)
const runs = total === undefined ? Number(values.runs) : Math.ceil(total / files.length / 2)
let cases = 0
let failed = 0
for (let round = 0; round === 0 || (failed === 0 && cases < (total ?? 0)); round++)
  for (const file of files) {
    // A file may also use the next few seeds, so rounds are 100 seeds apart.
    const own = seed + 100 * round
    const started = Date.now()
    try {
      const { fuzz } = await import(pathToFileURL(resolve(file)).href)
      const figures = await fuzz(runs, own)
      cases += Number.parseInt(figures, 10)
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      console.log(`ok   ${file} (${seconds} s, seed ${own}): ${figures}`)
    } catch (error) {
      failed++
      console.log(`FAIL ${file} (seed ${own})`)
      console.log(error)
    }
  }
console.log(`${cases} cases, ${failed === 0 ? 'none failed' : `${failed} of the runs above failed`}`)
process.exitCode = failed === 0 ? 0 : 1

function asked() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        runs: { type: 'string', default: '100000' },
        total: { type: 'string' },
        seed: { type: 'string' },
      },
    })
  } catch (error) {
    return refuse(error.message)
  }
}

function refuse(why) {
  console.error(why)
  process.exit(2)
}
