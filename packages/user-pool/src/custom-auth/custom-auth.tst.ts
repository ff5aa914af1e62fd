import { expect, test } from 'tstyche'
import { customAuth, oneTimeCode, type Routes } from '../index.ts'

const send = async () => {}

test('customAuth() returns routes for a list of challenges', () => {
  expect(customAuth({ challenges: [oneTimeCode({ send })] })).type.toBeAssignableTo<Routes>()
})

test('a challenge that is not in a list does not compile, and the error says what to write', () => {
  // @ts-expect-error Hint<"write a list: challenges: [challenge]">
  customAuth({ challenges: oneTimeCode({ send }) })
})
