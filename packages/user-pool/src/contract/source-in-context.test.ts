import { expect, it } from '@jest/globals'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import type { Mixed } from 'io-ts'
import { triggerEventCodec } from './event-codec.ts'

it('the context of a triggerSource error contains a codec that accepts only known sources', () => {
  const decoded = triggerEventCodec.decode({ triggerSource: 'PreSignUp_SingUp' })
  if (isRight(decoded)) throw new Error('A misspelt trigger source was accepted.')
  const { key, type: decoder } = decoded.left[0]!.context.at(-1)!
  const type = decoder as Mixed
  expect(key).toBe('triggerSource')
  expect(type.is('PreSignUp_SignUp')).toBe(true)
  expect(type.is('PreSignUp_SingUp')).toBe(false)
  expect(isLeft(type.decode('PreSignUp_SingUp'))).toBe(true)
})
