// `npm run contract` runs all cases for the rows of the contract pages, on functions and on the platform. A case obeys
// its row or violates it. The exit code is 1 if a row lacks a case or a case fails.
import { contractPages } from './contract-rows.ts'
import { type PageReport, walkPage } from './walk-page.ts'

const reports: PageReport[] = []
for (const page of contractPages) reports.push(await walkPage(page))

const columns = ['Page', 'Rows', 'Cases that keep', 'Cases that break', 'Not breakable', 'Failures']
const lines = reports.map(({ page, rows, keeping, breaking, excepted, failures }) =>
  [page, rows, keeping, breaking, excepted.length, failures.length].map(String),
)
const sums = columns
  .slice(1)
  .map((_, column) => lines.reduce((sum, line) => sum + Number(line[column + 1]), 0))
const table = [columns, ...lines, ['all', ...sums.map(String)]]
const widths = columns.map((_, column) => Math.max(...table.map(line => line[column]!.length)))
for (const [first, ...others] of table) {
  const numbers = others.map((cell, column) => cell.padStart(widths[column + 1]!))
  console.log([first!.padEnd(widths[0]!), ...numbers].join('  '))
}

for (const { page, excepted, failures } of reports) {
  for (const text of excepted) console.log(`${page}: not breakable: ${text}`)
  for (const text of failures) console.log(`${page}: FAIL ${text}`)
}
process.exit(reports.every(({ failures }) => failures.length === 0) ? 0 : 1)
