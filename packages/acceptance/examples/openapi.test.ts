import { expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { routes } from '@signalbox/examples/shop/handler'
import { openapi } from '@signalbox/load-balancer/openapi'

it('the OpenAPI document of the example shop is valid', async () => {
  const document = openapi(routes, { info: { title: 'Orders', version: '1.0.0' } })
  expect(Object.keys(document.paths)).toContain('/orders/{id}/receipt')
  expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toMatchObject({ valid: true })
})
