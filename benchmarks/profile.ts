import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { loadWork, type WorkName, workNames } from './harness/work.ts'

/**
 * Shows where one contender spends its time. Example: `node benchmarks/profile.ts trigger Signalbox ['1,000 records']`.
 */
const seconds = 3
const [name, asked, size] = process.argv.slice(2)
if (!workNames.includes(name as WorkName)) throw new Error(`the works are ${workNames.join(', ')}`)
const { setups } = await loadWork(name as WorkName)
const setup = setups.find(each => size === undefined || each.name === size)
const contender = setup?.contenders.find(each => each.name === asked)
if (setup === undefined || contender === undefined) {
  const known = setups.map(each => `${each.name}: ${each.contenders.map(({ name }) => name).join(', ')}`)
  throw new Error(`the contenders are\n${known.join('\n')}`)
}

await runFor(seconds / 3)
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.setSamplingInterval', { interval: 200 })
await session.post('Profiler.start')
const runs = await runFor(seconds)
const { profile } = await session.post('Profiler.stop')

console.log(`${contender.name}, ${setup.name}: ${((seconds * 1e9) / runs).toFixed(0)} ns a run`)
const here = fileURLToPath(new URL('..', import.meta.url))
const own = new Map<string, number>()
const places = new Map(
  profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
    const file = url.startsWith('file:') ? fileURLToPath(url).replace(here, '') : url
    return [id, `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`]
  }),
)
for (const id of profile.samples ?? []) own.set(places.get(id)!, (own.get(places.get(id)!) ?? 0) + 1)
const all = profile.samples?.length ?? 1
for (const [place, count] of [...own].sort(([, a], [, b]) => b - a).slice(0, 25)) {
  console.log(`${((100 * count) / all).toFixed(1).padStart(5)} %  ${place}`)
}

async function runFor(time: number): Promise<number> {
  const end = performance.now() + time * 1000
  let count = 0
  do {
    for (let i = 0; i < 20; i++) {
      const result = contender!.run()
      if (result instanceof Promise) await result
    }
    count += 20
  } while (performance.now() < end)
  return count
}
