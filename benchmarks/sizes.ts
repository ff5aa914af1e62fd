// `npm run sizes`: prints the size of every bundle that has a limit, and of each package in it when codecs
// are compiled. `npm run sizes -- queue/signalbox` prints the bytes of each file in that bundle.
import { bundle } from './cold/bundle.ts'
import { budgets } from './cold/contenders.ts'

const asked = process.argv.slice(2)
for (const name of asked.length > 0 ? asked : Object.keys(budgets)) {
  const plain = await bundle(name)
  const { code, parts, files } = await bundle(name, true)
  console.log(
    `${name}: ${plain.code.byteLength} bytes, minified; with its codecs compiled ${code.byteLength}`,
  )
  const shown = Object.entries(asked.length > 0 ? files : parts).filter(([, bytes]) => bytes > 0)
  for (const [part, bytes] of shown.sort(([, a], [, b]) => b - a)) {
    console.log(`${String(bytes).padStart(8)} ${part.replace(/.*node_modules\//, '')}`)
  }
}
