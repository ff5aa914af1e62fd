import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { rollBack } from './transactions.ts'

it('rollBack() ends an open transaction, and does nothing when no transaction is open', () => {
  using database = new DatabaseSync(':memory:')
  database.exec('create table things (thing text); begin; insert into things values (1)')
  rollBack(database)
  rollBack(database)
  expect(database.prepare('select * from things').all()).toEqual([])
  database.exec('begin; commit')
})
