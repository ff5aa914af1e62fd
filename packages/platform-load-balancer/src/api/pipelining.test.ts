import { expect, it } from '@jest/globals'
import { fuzz } from './pipelining.fuzz.ts'

it('answers in their order the requests of a connection that count, and begins no others', async () => {
  await expect(fuzz(4000)).resolves.toMatch(/^40 connections, \d+ requests/)
})
