import { describe, expect, it } from '@jest/globals'
import { systemRandom } from '@signalbox/platform-runtime'
import { clientHalf, isProof, serverHalf } from './exchange.ts'
import { integer, N, pad, plainPower, power, sha256 } from './group.ts'
import { srpClient } from './srp-client.ts'
import { makeVerifier, verifierOf } from './verifier.ts'

describe('the SRP group', () => {
  it('computes the same modular powers as BigInt arithmetic', () => {
    for (let round = 0; round < 60; round++) {
      const base = integer(systemRandom(round % 2 === 0 ? 384 : 20))
      const exponent = integer(systemRandom(1 + (round % 32)))
      expect(power(base, exponent)).toBe(plainPower(base, exponent))
    }
    for (const base of [0n, 1n, 2n, N - 1n, N, N + 2n])
      for (const exponent of [0n, 1n, 2n, 3n, 4n])
        expect(power(base, exponent)).toBe(plainPower(base, exponent))
  })

  it.each([
    ['0', 0n, '00'],
    ['0x7f', 0x7fn, '7f'],
    ['0x80', 0x80n, '0080'],
    ['0x1234', 0x1234n, '1234'],
    ['0xfff', 0xfffn, '0fff'],
  ])('pads the number %s as Cognito clients do', (_case, value, hex) =>
    expect(pad(value).toString('hex')).toBe(hex),
  )
})

describe('an SRP exchange', () => {
  const owner = { poolName: 'Staff01', userName: 'ann' }

  const exchange = (password: string, SALT: string, { B }: { readonly B: string }) => {
    const client = srpClient('eu-central-1_Staff01', password)
    const block = Buffer.from('encrypted')
    const { PASSWORD_CLAIM_SIGNATURE: signature, TIMESTAMP: timestamp } = client.prove({
      USER_ID_FOR_SRP: 'ann',
      SALT,
      SRP_B: B,
      SECRET_BLOCK: block.toString('base64'),
    })
    return { A: client.SRP_A, proof: { signature, block, timestamp } }
  }

  it('accepts only the proof of the right password, with random salts and keys', () => {
    for (let round = 0; round < 10; round++) {
      const { salt, verifier } = makeVerifier(owner, 'Right-7', systemRandom)
      const half = serverHalf(BigInt(`0x${verifier}`), systemRandom)
      const right = exchange('Right-7', salt, half)
      const check = ({ A, proof }: typeof right) =>
        isProof(owner, BigInt(`0x${verifier}`), half, clientHalf(A)!, proof)
      expect(check(right)).toBe(true)
      expect(check(exchange('Wrong-7', salt, half))).toBe(false)
      expect(check({ ...right, proof: { ...right.proof, timestamp: 'later' } })).toBe(false)
      expect(check({ ...right, proof: { ...right.proof, block: Buffer.from('other') } })).toBe(false)
      expect(check({ ...right, proof: { ...right.proof, signature: '' } })).toBe(false)
    }
  })

  it('derives a verifier from a password and a salt that does not start with a zero byte', () => {
    let zeros = 1
    const { salt, verifier } = makeVerifier(owner, 'Right-7', size => {
      const bytes = systemRandom(size)
      if (zeros-- > 0) bytes[0] = 0
      return bytes
    })
    expect(salt).not.toMatch(/^00/)
    expect(verifierOf(owner, 'Right-7', salt)).toBe(BigInt(`0x${verifier}`))
    expect(verifierOf(owner, 'right-7', salt)).not.toBe(BigInt(`0x${verifier}`))
  })

  it.each([
    ['zero', '0'],
    ['the modulus', N.toString(16)],
    ['a multiple of the modulus', (2n * N).toString(16)],
    ['empty text', ''],
    ['text that is not hexadecimal', 'xyz'],
    ['a JavaScript number', 7],
    ['undefined', undefined],
    ['a number that is too long', 'f'.repeat(1025)],
  ])('refuses %s as the public value of a client', (_case, A) => expect(clientHalf(A)).toBeUndefined())

  it('uses SHA-256 as its hash', () => {
    expect(sha256('a', Buffer.from('bc')).toString('hex')).toMatch(/^ba7816bf8f01cfea/)
  })
})
