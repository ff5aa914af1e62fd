// #region platform
import { expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { createPlatform } from '@signalbox/platform'
import { handler } from './shop/handler.ts'

it('the shop answers HTTP requests, and events from a direct call', async () => {
  const platform = createPlatform({
    functions: { shop: { handler } },
    loadBalancers: { web: { port: 0, function: 'shop' } },
    dataDir: ':memory:',
  })
  const [web] = await platform.start()
  const response = await fetch(`${web?.url}/orders/7`)
  const { verdict } = await platform.invoke('shop', httpEvent('GET', '/orders/7'))
  const invocations = await platform.invocationLog.list()
  await platform.stop()
  expect(await response.json()).toMatchObject({ id: '7' })
  expect(verdict?.text).toBe('200 OK')
  expect(invocations.map(({ source }) => source)).toEqual(['load balancer web', 'invoke'])
})
// #endregion platform
