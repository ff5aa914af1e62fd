import { createPlatform } from '@signalbox/platform'
import { Session } from 'node:inspector/promises'
import { get } from 'node:http'
import { mkdtempSync } from 'node:fs'
import { handler } from './platform/servers/shop.ts'
const platform = createPlatform({ functions: { shop: { handler } }, loadBalancers: { web: { port: 0, function: 'shop' } }, dataDir: mkdtempSync('/tmp/pb-') })
const [a] = await platform.start()
const url = a.url + (process.argv[2] ?? '/large')
const one = () => new Promise(r => get(url, res => { res.resume(); res.on('end', r) }))
for (let i=0;i<200;i++) await one()
const s = new Session(); s.connect(); await s.post('Profiler.enable'); await s.post('Profiler.start')
const c0 = process.cpuUsage(); const n = 1500
const el0 = performance.eventLoopUtilization()
const th0 = process.threadCpuUsage()
for (let i=0;i<n;i++) await one()
const th = process.threadCpuUsage(th0)
const u = process.cpuUsage(c0)
const { profile } = await s.post('Profiler.stop')
const self = new Map(); const dt = profile.timeDeltas; profile.samples.forEach((id,i)=>self.set(id,(self.get(id)??0)+dt[i]))
const by = new Map(); for (const node of profile.nodes) { const k = node.callFrame.functionName+' '+node.callFrame.url.split('/').slice(-2).join('/')+':'+node.callFrame.lineNumber; by.set(k,(by.get(k)??0)+(self.get(node.id)??0)) }
console.log('cpu/req', (u.user+u.system)/n, 'main', (th.user+th.system)/n)
console.log([...by].sort((x,y)=>y[1]-x[1]).slice(0,22).map(([k,v])=>(v/n).toFixed(1)+' µs '+k).join('\n'))
await platform.stop(); process.exit()
