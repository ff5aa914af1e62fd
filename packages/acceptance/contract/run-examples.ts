import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, type Snippet } from './snippets.ts'

/** A line with an expression whose value a comment states: `nearest('totl', ['total']) // 'total'`. */
const statement = /^([^\s/}].*?) \/\/ (['\d[{]|true\b|false\b|null\b|undefined\b|new )(.*)$/gm

/**
 * Runs the examples that state a value in a comment.
 * @returns how many values the examples state, and a line for each example that fails or states a wrong value
 */
export function runExamples(snippets: readonly Snippet[]): {
  readonly values: number
  readonly problems: readonly string[]
} {
  let values = 0
  const folder = mkdtempSync(join(tmpdir(), 'examples-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const calls = snippets.flatMap(({ page, line, code }, position) => {
      const checked = code.replace(statement, (_line, expression: string, start: string, end: string) => {
        values += 1
        return `assert.deepEqual(${expression}, ${start}${end})`
      })
      if (checked === code) return []
      writeFileSync(join(folder, `${position}.ts`), `import assert from 'node:assert/strict'\n${checked}\n`)
      const place = JSON.stringify(`${page.slice(root.length + 1)}, line ${line}: `)
      return `await import('./${position}.ts').catch(error => console.error(${place} + error.message.replaceAll('\\n', ' ')))`
    })
    writeFileSync(join(folder, 'all.ts'), calls.join('\n'))
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning', 'all.ts'],
      { cwd: folder, encoding: 'utf8' },
    )
    const problems = stderr.split('\n').filter(text => text !== '')
    return { values, problems: status === 0 ? problems : [...problems, `Node ended with ${status}`] }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
