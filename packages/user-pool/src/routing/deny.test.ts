import { expect, it } from '@jest/globals'
import { DeniedError } from '@signalbox/core'
import { deny } from './deny.ts'

it('deny() throws an error with exactly the given message, which must not be empty', () => {
  expect(() => deny('Staff only')).toThrow(new DeniedError('Staff only'))
  expect(() => deny('Staff only')).toThrow(DeniedError)
  expect(() => deny('')).toThrow('deny() needs a message, which the platform shows the caller')
})
