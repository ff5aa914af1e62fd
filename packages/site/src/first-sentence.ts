import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './pages.ts'

/** Returns the first sentence of a page's first paragraph, in one line and without links. */
export function firstSentenceOf(page: string): string {
  const [paragraph = ''] = readFileSync(join(repository, page), 'utf8')
    .split('\n\n')
    .filter(each => !/^(?:#|<|---|!\[|```|\|)/.test(each))
  return paragraph
    .replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/([.:]) .*/, '$1')
    .replace(/:$/, '.')
}
