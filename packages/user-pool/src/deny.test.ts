import { expect, it } from '@jest/globals'
import { DeniedError } from '@signalbox/core'
import { deny } from './deny.ts'

it('throws the message as it is, because the caller gets to see it', () => {
  expect(() => deny('Staff only')).toThrow(new DeniedError('Staff only'))
  expect(() => deny('Staff only')).toThrow(DeniedError)
})
