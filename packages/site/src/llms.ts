import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf, repository } from './pages.ts'
import { sections } from './sidebar.ts'

/**
 * Writes `llms.txt`, which lists the pages of the site, and `llms-full.txt`, which has their texts, in the order of the
 * sidebar. Both are for agents, and contain what the pages contain.
 *
 * @param out The folder of the built site.
 */
export function writeTextsForAgents(out: string): void {
  const lists = Object.entries(sections).map(
    ([title, entries]) =>
      `## ${title}\n\n${entries.map(([text, page]) => `- [${text}](${addressOf(page)}): ${firstSentenceOf(page)}`).join('\n')}\n`,
  )
  writeFileSync(
    join(out, 'llms.txt'),
    [`# Signalbox\n\n> ${firstSentenceOf('README.md')}\n`, ...lists].join('\n'),
  )
  const texts = Object.values(sections)
    .flat()
    .map(([, page]) => `<!-- ${addressOf(page)} -->\n\n${textOf(page)}`)
  writeFileSync(join(out, 'llms-full.txt'), texts.join('\n'))
}

const textOf = (page: string) => readFileSync(join(repository, page), 'utf8')

/** Returns the first sentence of a page's first paragraph, in one line. */
function firstSentenceOf(page: string): string {
  const [paragraph = ''] = textOf(page)
    .split('\n\n')
    .filter(each => !/^(?:#|<|---|!\[|```|\|)/.test(each))
  return paragraph
    .replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/([.:]) .*/, '$1')
    .replace(/:$/, '.')
}
