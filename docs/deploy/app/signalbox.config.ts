import { defineConfig } from '@signalbox/platform'

/** The address on which the listeners accept connections. By default, only this machine can connect. */
const host = process.env.SIGNALBOX_HOST ?? '127.0.0.1'

export const config = defineConfig({
  functions: {
    shop: { module: './functions/shop.ts' },
    orders: { module: './functions/orders.ts' },
  },
  loadBalancers: { web: { port: 3000, host, open: true, function: 'shop' } },
  queues: {
    orders: { function: 'orders', deadLetter: { queue: 'orders-dead', maxReceiveCount: 3 } },
    failed: {},
  },
  invoke: { onFailure: 'failed' },
  // Probes use the control address, without a key.
  control: { port: 9330, host },
  // Clients of the queues and the Invoke API need a key, which this makes: signalbox access add ops
  access: {
    identities: {
      ops: { rights: { functions: { invoke: ['*'] }, queues: { send: ['orders'], receive: ['failed'] } } },
    },
  },
  dataDir: process.env.SIGNALBOX_DATA ?? '.signalbox',
  grace: 30,
  // Load balancers read /readyz every two seconds, so they notice the stop before the listeners close.
  drain: 5,
})
