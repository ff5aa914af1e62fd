import { expect, it } from '@jest/globals'
import { fuzz } from './malformed.fuzz.ts'

it('the load balancer answers each malformed request with exactly one protocol error', async () => {
  expect(await fuzz(2000, 1833006117)).toMatch(
    /^200 malformed requests, each refused; 20 conversations, each left at another byte/,
  )
})
