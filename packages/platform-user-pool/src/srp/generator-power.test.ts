import { expect, it } from '@jest/globals'
import { systemRandom } from '@signalbox/platform-runtime'
import { generatorPower } from './generator-power.ts'
import { g, integer, plainPower } from './group.ts'

it('the powers of the SRP generator equal the results of BigInt arithmetic', () => {
  const largest = 2n ** 256n - 1n
  for (const exponent of [0n, 1n, 2n, 255n, 256n, 2n ** 248n, largest])
    expect(generatorPower(exponent)).toBe(plainPower(g, exponent))
  for (let round = 0; round < 30; round++) {
    const exponent = integer(systemRandom(1 + (round % 32)))
    expect(generatorPower(exponent)).toBe(plainPower(g, exponent))
  }
})

it('an exponent that is too long for the SRP generator is refused', () => {
  expect(() => generatorPower(2n ** 256n)).toThrow('256 bits at most')
})
