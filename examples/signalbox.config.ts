import { defineConfig } from '@signalbox/platform'

/** What `npx signalbox dev` runs in this folder. */
// #region config
export const config = defineConfig({
  functions: {
    'sign-up': { module: './sign-up/handler.ts' },
    orders: { module: './orders/handler.ts' },
    mailroom: { module: './mailroom/handler.ts' },
    shop: { module: './shop/handler.ts' },
    everything: { module: './everything/handler.ts' },
  },
  loadBalancers: {
    shop: { port: 3000, function: 'shop' },
    'shop-multi': { port: 3001, function: 'shop', multiValueHeaders: true },
  },
  queues: {
    orders: { function: 'orders', deadLetter: { queue: 'orders-dead', maxReceiveCount: 3 } },
    'orders.fifo': { function: 'orders', deadLetter: { queue: 'orders-dead.fifo', maxReceiveCount: 3 } },
  },
  mail: {
    mailboxes: { 'office.example': '*' },
    rules: [{ direction: 'INBOUND', function: 'mailroom', timeout: 5 }],
    relay: 'keep',
  },
})
// #endregion config
