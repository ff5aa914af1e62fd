import { expect, it } from '@jest/globals'
import { fuzz } from './any-request.fuzz.ts'

it('no JSON of any depth and no header in a request to functions, user pools or the control address causes an internal error', async () => {
  expect(await fuzz(200, 20_261_128)).toMatch(/^200 requests: /)
})
