import { expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { createPlatform } from '@signalbox/platform'
import { handler } from './shop/handler.ts'

it('answers over a real connection, and to an event that is fired', async () => {
  // #region box
  const platform = createPlatform({
    functions: { shop: { handler } },
    loadBalancers: { web: { port: 0, function: 'shop' } },
    dataDir: ':memory:',
  })
  const [web] = await platform.start()
  const response = await fetch(`${web?.url}/orders/7`)
  const { conclusion } = await platform.fire('shop', httpEvent('GET', '/orders/7'))
  const journal = platform.journal.list()
  await platform.stop()
  // #endregion box
  expect(await response.json()).toMatchObject({ id: '7' })
  expect(conclusion?.text).toBe('200 OK')
  expect(journal.map(({ source }) => source)).toEqual(['load balancer web', 'fire'])
})
