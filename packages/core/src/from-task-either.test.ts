import { describe, expect, it } from '@jest/globals'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { fromTaskEither, InvalidOptionError } from './index.ts'

describe('fromTaskEither()', () => {
  it('returns the value of a Right', async () => {
    const half = fromTaskEither((n: number) => TE.right(n / 2))
    expect(await half(8)).toBe(4)
  })

  it('refuses an argument that is not a function', () => {
    expect(() => fromTaskEither(undefined as never)).toThrow(
      new InvalidOptionError('fromTaskEither() takes a function that returns a TaskEither'),
    )
  })

  it('rejects with the value of a Left', async () => {
    for (const left of [new RangeError('no'), 'text', undefined]) {
      const failing = fromTaskEither(() => TE.left(left))
      await expect(
        failing().then(
          () => 'resolved',
          error => ({ thrown: error }),
        ),
      ).resolves.toEqual({ thrown: left })
    }
  })
})
