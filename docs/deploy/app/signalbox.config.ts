import { defineConfig } from '@signalbox/platform'

/** The address of the listeners: all of the container's, or only this machine's. */
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
  // For probes. This project has no mail, so that there are no documents to read.
  control: { port: 9330, host, open: true },
  dataDir: process.env.SIGNALBOX_DATA ?? '.signalbox',
  grace: 30,
  // Balancers read /readyz every two seconds, and notice the stop before listeners close.
  drain: 5,
})
