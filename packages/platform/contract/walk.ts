// `npm run contract`: walks the pages of the contract, and tries for each row cases that keep it and cases that break it
// through functions and through the platform. The exit code is 1 when a row lacks one or a case fails.
import { contractPages } from './contract-rows.ts'
import { walkPage } from './walk-page.ts'

const started = Date.now()
let failed = 0
for (const page of contractPages) {
  const { rows, keeping, breaking, excepted, failures } = await walkPage(page)
  failed += failures.length
  console.log(
    `${page}: ${rows} rows, ${keeping} keeping cases, ${breaking} breaking cases, ${failures.length} failures`,
  )
  for (const text of excepted) console.log(`  not breakable: ${text}`)
  for (const text of failures) console.log(`  FAIL ${text}`)
}
console.log(`${failed} failures (${((Date.now() - started) / 1000).toFixed(1)} s)`)
process.exit(failed === 0 ? 0 : 1)
