// `npm run soak`, `npm run soak -- --messages 10000 --kills 20 --groups 200 --seed 7`.
import { parseArgs } from 'node:util'
import { soak } from './soak.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '20' },
    groups: { type: 'string', default: '200' },
    seed: { type: 'string' },
  },
})
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
console.log(`seed ${seed}`)
const started = Date.now()
const { violations, ...figures } = await soak({
  messages: Number(values.messages),
  kills: Number(values.kills),
  groups: Number(values.groups),
  seed,
  say: text => console.log(text),
})
console.log(
  `${figures.acknowledged} sends acknowledged, ${figures.handled} deliveries handled, ${figures.duplicates} of them again after a kill or a time-out, ` +
    `${figures.probes} old receipts tried, ${((Date.now() - started) / 1000).toFixed(1)} s`,
)
for (const violation of violations.slice(0, 50)) console.log(`VIOLATION ${violation}`)
console.log(
  violations.length === 0
    ? 'Nothing lost, nothing out of order.'
    : `${violations.length} violations (seed ${seed})`,
)
process.exitCode = violations.length === 0 ? 0 : 1
