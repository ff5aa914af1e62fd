import { expect, test } from 'tstyche'
import { customAuth, oneTimeCode, type Routes } from '../index.ts'

const send = async () => {}

test('custom authentication makes routes from a list of challenges', () => {
  expect(customAuth({ challenges: [oneTimeCode({ send })] })).type.toBeAssignableTo<Routes>()
})

test('a challenge without its list is answered with what to write', () => {
  // @ts-expect-error Hint<"write a list: challenges: [challenge]">
  customAuth({ challenges: oneTimeCode({ send }) })
})
