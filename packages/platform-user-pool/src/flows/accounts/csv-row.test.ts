import { expect, it } from '@jest/globals'
import { csvRow } from './csv-row.ts'

it.each([
  ['no characters', '', ['']],
  ['two fields', 'a,b', ['a', 'b']],
  ['empty fields', 'a,,', ['a', '', '']],
  ['an escaped comma and backslash', 'a\\,b,c\\\\', ['a,b', 'c\\']],
  ['quoted fields', '"a,b","say ""hi""",c', ['a,b', 'say "hi"', 'c']],
  ['a quote that is not closed', 'a,"b', undefined],
  ['a quote and a backslash inside fields', '5" disk,x\\y', ['5" disk', 'x\\y']],
])('csvRow() reads a CSV line with %s', (_case, line, fields) => {
  expect(csvRow(line)).toEqual(fields)
})
