import { expect, it } from '@jest/globals'
import { csvRow } from './csv-row.ts'

it.each([
  ['', ['']],
  ['a,b', ['a', 'b']],
  ['a,,', ['a', '', '']],
  ['a\\,b,c\\\\', ['a,b', 'c\\']],
  ['"a,b","say ""hi""",c', ['a,b', 'say "hi"', 'c']],
  ['5" disk,x\\y', ['5" disk', 'x\\y']],
])('the CSV line %j has the fields %j', (line, fields) => {
  expect(csvRow(line)).toEqual(fields)
})
