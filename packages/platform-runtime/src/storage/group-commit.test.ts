import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { groupCommit } from './group-commit.ts'
import { transactions } from './transactions.ts'

function notes() {
  const database = new DatabaseSync(':memory:')
  database.exec('create table notes (text text unique)')
  const insert = database.prepare('insert into notes values (?)')
  const write = transactions(database, () => new Error('full'))
  let commits = 0
  const share = groupCommit(
    (work, need) => {
      const result = write(work, need)
      commits++
      return result
    },
    async () => {},
  )
  return {
    database,
    note: (text: string) => share(() => Number(insert.run(text).lastInsertRowid)),
    large: (text: string) => share(() => Number(insert.run(text).lastInsertRowid), { bytes: 1024 * 1024 }),
    commits: () => commits,
    texts: () =>
      database
        .prepare('select text from notes order by rowid')
        .all()
        .map(({ text }) => text),
  }
}

it('a group commit writes all changes of one turn of the event loop in one transaction', async () => {
  const { note, commits, texts } = notes()
  expect(await Promise.all(['a', 'b', 'c'].map(note))).toEqual([1, 2, 3])
  expect(commits()).toBe(1)
  await note('d')
  expect(commits()).toBe(2)
  expect(texts()).toEqual(['a', 'b', 'c', 'd'])
})

it('a failed change in a group commit does not affect the other changes', async () => {
  const { note, texts } = notes()
  const results = await Promise.allSettled(['a', 'b', 'a', 'c'].map(note))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(texts()).toEqual(['a', 'b', 'c'])
})

it('a group commit rejects all its changes when the database is closed before the commit', async () => {
  const { database, note } = notes()
  const results = Promise.allSettled(['a', 'b'].map(note))
  database.close()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

it('a group commit writes large changes in order, each in a separate turn of the event loop', async () => {
  const { note, large, commits, texts } = notes()
  const seen: number[] = []
  const turns = (async () => {
    for (let turn = 0; turn < 5; turn++) {
      await new Promise(resolve => setImmediate(resolve))
      seen.push(commits())
    }
  })()
  const done = Promise.all([note('a'), large('b'), large('c'), note('d'), note('e')])
  expect(await done).toEqual([1, 2, 3, 4, 5])
  await turns
  expect(commits()).toBe(2)
  expect(seen).toEqual([0, 1, 2, 2, 2])
  expect(texts()).toEqual(['a', 'b', 'c', 'd', 'e'])
})
