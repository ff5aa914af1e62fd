// Checks that no source file has more than 400 lines that are neither blank nor comment.
import { globSync, readFileSync } from 'node:fs'

const most = 400

const exclude = ['**/node_modules/**', '**/dist/**', '**/.vitepress/cache/**']
const homes = ['.ci', 'packages', 'examples', 'benchmarks', 'docs', 'packages/site/.vitepress']
for (const file of homes.flatMap(home => globSync(`${home}/**/*.{ts,tsx,js,css}`, { exclude })).sort()) {
  const count = linesOf(readFileSync(file, 'utf8'))
  if (count <= most) continue
  console.error(
    `${file} has ${count} lines that are neither blank nor comment. Expected at most ${most}: split it by subject`,
  )
  process.exitCode = 1
}

/** Counts the lines that have code. A comment may begin only at the start of a line, so that no text counts as one. */
function linesOf(text) {
  let count = 0
  let isComment = false
  for (const line of text.split('\n').map(each => each.trim())) {
    if (!isComment && line.startsWith('/*')) isComment = true
    else if (!isComment && line !== '' && !line.startsWith('//')) count++
    if (isComment && line.includes('*/')) isComment = false
  }
  return count
}
