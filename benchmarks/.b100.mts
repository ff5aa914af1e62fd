import { startServer } from './platform/server.ts'
import { load } from './platform/load.ts'
const path = process.argv[2] ?? '/large'
const rounds = Number(process.argv[3] ?? 3)
const [a, b] = await Promise.all([startServer('bare'), startServer('box','in-process')])
for (let i = 0; i <= rounds; i++) { const f=[]; for (const s of [a,b]) { const before = await s.usage('processor'); const l = await load(s.url+path, {duration: 3}); const after = await s.usage('processor'); f.push([l.perSecond, (after.processor-before.processor)/l.requests]) }
 if (i) console.log('bare', f[0].map(x=>x.toFixed(0)).join(' '), 'box', f[1].map(x=>x.toFixed(0)).join(' '), 'ratio/s', (f[1][0]/f[0][0]).toFixed(2), 'cpu', (f[0][1]/f[1][1]).toFixed(2)) }
await Promise.all([a.end(), b.end()]); process.exit()
