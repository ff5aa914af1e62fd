import middy from '@middy/core'
import { signalbox } from '@signalbox/core'
import { userPool } from '@signalbox/user-pool'
import { claimsFor } from '../contenders/token-claims.ts'
import { tokenGenerationText } from '../data/token-generation.ts'

const events = Array.from({ length: 16 }, (_, user): any => JSON.parse(tokenGenerationText(4, user)))
const plugin = userPool({
  TokenGeneration_HostedAuth: claimsFor,
  TokenGeneration_Authentication: claimsFor,
} as never)
const [receive, serialize] = plugin.middlewares as any[]
const same = (e: any) => e
const fill = (e: any) => {
  e.response = claimsFor(e)
  return e
}
const inv = { signal: undefined }
const cs: Record<string, any> = {
  'middy async undefined': middy({ timeoutEarlyInMillis: 0 } as never).handler(
    (async () => undefined) as never,
  ),
  'middy sync event': middy({ timeoutEarlyInMillis: 0 } as never).handler(same as never),
  'core only': signalbox({ ...plugin, middlewares: [], handler: same }),
  'core, claims by hand': signalbox({ ...plugin, middlewares: [], handler: fill }),
  'core + receiver, by hand': signalbox({ ...plugin, middlewares: [receive], handler: fill }),
  'core + router': signalbox({ ...plugin, middlewares: [] }),
  'core + serializer, by hand': signalbox({ ...plugin, middlewares: [serialize], handler: fill }),
  all: signalbox(plugin),
  'plain receiver': (e: any) => receive.before({ event: e }),
  'plain router': (e: any) => plugin.handler(e as never, {}, inv as never),
  'plain serializer': (e: any) => serialize.after({ event: e, response: e }),
  'plain claimsFor': fill,
}
for (const e of events) e.response = claimsFor(e)
for (const n of Object.keys(cs)) if (process.argv[2] && n !== process.argv[2]) delete cs[n]
const best = new Map<string, number>()
let i = 0
async function round(run: any, n: number, sync: boolean) {
  const t = process.hrtime.bigint()
  if (sync) for (let k = 0; k < n; k++) run(events[i++ & 15], {})
  else for (let k = 0; k < n; k++) await run(events[i++ & 15], {})
  return Number(process.hrtime.bigint() - t) / n
}
for (let r = 0; r < 300; r++)
  for (const [n, c] of Object.entries(cs)) {
    const ns = await round(c, 1500, n.startsWith('plain'))
    best.set(n, Math.min(best.get(n) ?? 1e9, ns))
  }
for (const [n, ns] of best) console.log(n.padEnd(30), ns.toFixed(0))
