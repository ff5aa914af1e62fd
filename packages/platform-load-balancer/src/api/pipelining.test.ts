import { expect, it } from '@jest/globals'
import { fuzz } from './pipelining.fuzz.ts'

it('the load balancer answers the pipelined requests of a connection in order, and starts no others', async () => {
  await expect(fuzz(4000)).resolves.toMatch(/^40 connections, \d+ requests/)
})
