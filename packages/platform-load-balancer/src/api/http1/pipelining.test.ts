import { expect, it } from '@jest/globals'
import { fuzz } from './pipelining.fuzz.ts'

it('the load balancer answers valid pipelined requests in order, and never calls the function for an invalid request', async () => {
  await expect(fuzz(4000)).resolves.toMatch(/^40 connections, \d+ requests/)
})
