import { expect, it } from '@jest/globals'
import { fuzz } from './pipelining.fuzz.ts'

it('the load balancer answers pipelined requests in order, and starts none after a refused one', async () => {
  await expect(fuzz(4000)).resolves.toMatch(/^40 connections, \d+ requests/)
})
