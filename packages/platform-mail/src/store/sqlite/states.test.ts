import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { mailStates } from './states.ts'

it('the states of a database without tables are empty', () => {
  expect(mailStates(new DatabaseSync(':memory:'))).toEqual([])
})
