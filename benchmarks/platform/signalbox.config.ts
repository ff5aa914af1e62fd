import { defineConfig } from '@signalbox/platform'

export const config = defineConfig({
  functions: { shop: { module: './servers/shop.ts' } },
  loadBalancers: { web: { port: 0, function: 'shop' } },
})
