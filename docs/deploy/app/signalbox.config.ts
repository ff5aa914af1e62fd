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
  // Probes use the control address. It can be open, because this project has no mail that could be read there.
  control: { port: 9330, host, open: true },
  dataDir: process.env.SIGNALBOX_DATA ?? '.signalbox',
  grace: 30,
  // Load balancers read /readyz every two seconds, so they notice the stop before the listeners close.
  drain: 5,
})
