import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { mailStates } from './states.ts'

it('a database without tables has no mail states', () => {
  expect(mailStates(new DatabaseSync(':memory:'))).toEqual([])
})
