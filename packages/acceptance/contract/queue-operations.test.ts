import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { operationRights } from '@signalbox/platform-queue/testing/operation-rights'

const page = (name: string) => readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8')

/** Returns the names of operations in a text, such as `SendMessage`, in alphabetical order. */
const operationsIn = (text: string) =>
  [...text.matchAll(/\b(?:[A-Z][a-z]+){2,}\b/g)].map(([name]) => name).sort()

it('docs/platform/queues.md lists exactly the operations of the queue API', () => {
  const [, list] = /^All operations of SQS work:(.*?)\. They work/ms.exec(page('platform/queues.md'))!
  expect(operationsIn(list!)).toEqual(Object.keys(operationRights).sort())
})

it.each(['send', 'receive', 'administer', 'any'] as const)(
  'docs/access.md lists exactly the operations that need the right over a queue: %s',
  right => {
    const cell = right === 'any' ? 'any right over a queue' : `\`queues: { ${right}: ['orders'] }\``
    const rows = page('access.md')
      .split('\n')
      .filter(line => line.startsWith(`| ${cell} `))
    const named = Object.entries(operationRights).filter(([, rights]) =>
      right === 'any' ? rights.length !== 1 : rights.length === 1 && rights[0] === right,
    )
    expect(operationsIn(rows.join())).toEqual(named.map(([name]) => name).sort())
  },
)
