import { work } from '../works/trigger.ts'

const cs = work.setups[0]!.contenders.filter(c =>
  ['empty middy handler', 'hand-written, under middy', 'Signalbox', 'hand-written'].includes(c.name),
)
const best = new Map<string, number>()
async function round(run: () => unknown, n: number) {
  const t = process.hrtime.bigint()
  for (let i = 0; i < n; i++) await run()
  return Number(process.hrtime.bigint() - t) / n
}
for (const c of cs) await round(c.run, 20000)
for (let r = 0; r < 400; r++)
  for (const c of cs) {
    const ns = await round(c.run, 1500)
    best.set(c.name, Math.min(best.get(c.name) ?? 1e9, ns))
  }
const floor = best.get('empty middy handler')!
for (const [n, ns] of best) console.log(n.padEnd(30), ns.toFixed(0), (ns / floor).toFixed(2))
