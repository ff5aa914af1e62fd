// A platform with some listeners and a function in a process of its own, for a process with few descriptors.
import { fileURLToPath } from 'node:url'
import { createPlatform } from '@signalbox/platform'

const module = fileURLToPath(
  import.meta.resolve('@signalbox/platform-runtime/invoker/testing/functions/two-hundred'),
)
const platform = createPlatform({
  functions: { shop: { module } },
  loadBalancers: { web: { port: 0, function: 'shop' } },
  control: { port: 0 },
  mail: {
    port: 0,
    domains: { 'office.example': { to: 'mailboxes' } },
    maxConnections: 5000,
    maxConnectionsPerAddress: 5000,
  },
  dataDir: ':memory:',
  grace: 1,
})
const addresses = await platform.start()
const urlOf = (name: string) => addresses.find(({ source }) => source.startsWith(name))!.url
process.send!({ web: urlOf('load balancer'), control: urlOf('control'), mail: urlOf('mail') })
process.once('SIGTERM', () => void platform.stop().then(() => process.disconnect()))
