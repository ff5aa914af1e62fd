import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import dictionary from 'dictionary-en'
import nspell from 'nspell'
import { sitePages } from './llms.ts'
import { repository } from './pages.ts'

const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const codeIn = /^ *```[\s\S]*?^ *```$|``[^`]+``|`[^`]+`/gm
const letters = /\p{L}[\p{L}\p{M}\d]*(?:['’]\p{L}+)?/gu
/** Names such as `multiValueHeaders`, `SHA256` and `URLs`, which need no code span. */
const isName = (word: string) => /\d|\p{Ll}\p{Lu}/u.test(word) || /^\p{Lu}{2,}s?$/u.test(word)

/** Returns a word without what a plural or a genitive adds. */
const stem = (word: string) => word.toLowerCase().replace(/['’]?s$/, '')

// The pages of the API and the changelog are made from code.
const pages = sitePages().filter(page => !page.startsWith('packages/site/generated/'))

/** The words in the code of all pages: names of fields, commands and services. */
const used = new Set(
  pages.flatMap(page =>
    (read(page).match(codeIn) ?? []).flatMap(code =>
      (code.match(letters) ?? []).flatMap(name => [name, ...name.split(/(?=\p{Lu})/u)].map(stem)),
    ),
  ),
)

it('each word of the pages is English, is in code, or is in words.txt', () => {
  const english = nspell({ aff: Buffer.from(dictionary.aff), dic: Buffer.from(dictionary.dic) })
  const added = new Set(read('packages/site/words.txt').trim().split('\n').map(stem))
  const unknown = new Map<string, string>()
  for (const page of pages) {
    const prose = read(page)
      .replaceAll(codeIn, ' ')
      .replaceAll(/<!--[\s\S]*?-->|<[^>]+>|\]\([^)]*\)|https?:\S+/g, ' ')
    for (const word of prose.match(letters) ?? [])
      if (stem(word).length > 2 && !isName(word) && !used.has(stem(word)) && !added.has(stem(word)))
        if (!english.correct(word.replace('’', "'"))) unknown.set(word, page)
  }
  expect([...unknown].map(([word, page]) => `${page}: ${word}`)).toEqual([])
})
