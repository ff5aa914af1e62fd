import { expect, it } from '@jest/globals'
import { openapi } from '@signalbox/load-balancer/openapi'
import { createPlatform } from '@signalbox/platform'
import { reorder } from './client.ts'
import { handler, routes } from './handler.ts'

it('the typed client repeats an earlier order over HTTP', async () => {
  const platform = createPlatform({
    functions: { shop: { handler } },
    loadBalancers: { shop: { port: 0, function: 'shop' } },
  })
  try {
    const [shop] = await platform.start()
    expect(await reorder(shop!.url, '7')).toMatch(/^\d+$/)
    await expect(reorder(shop!.url, 'none')).rejects.toThrow('There is no order none')
    await expect(reorder(shop!.url, '6')).rejects.toThrow('The shop answered 409')
  } finally {
    await platform.stop()
  }
})

it('openapi() describes the routes of the shop', () => {
  const { paths } = openapi(routes, { info: { title: 'Shop', version: '1.0.0' } })
  expect(Object.keys(paths)).toContain('/widgets/stock/{item}')
  expect(paths['/member']!.get).toMatchObject({ security: [{ bearer: [] }] })
})
