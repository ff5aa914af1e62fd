import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { firstSentenceOf } from './first-sentence.ts'
import { isPage, linkOf, pictureAddressOf, placeOf, repository } from './pages.ts'
import { generated, sections } from './sidebar.ts'

/** A page in a list: its title, and its path in the repository. */
type Entry = readonly [title: string, page: string]

/**
 * Writes what agents read: each page as Markdown beside its HTML, whose links lead to such files; `llms.txt`, which lists the
 * pages of the site; and `llms-full.txt`, which has the texts of those in the sidebar, in its order.
 *
 * @param out The folder of the built site.
 * @param base The path below which the site will stand, which begins and ends with a slash.
 * @param pages The pages of the site, as paths in the repository.
 */
export function writeTextsForAgents(
  out: string,
  base: string = process.env.SITE_BASE ?? '/',
  pages: readonly string[] = sitePages(),
): void {
  const at = (address: string) => base + address.slice(1)
  for (const page of pages) {
    const file = join(out, placeOf(page))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, markdownOf(page, at))
  }

  const listOf = (entries: readonly Entry[]) =>
    entries.map(([title, page]) => `- [${title}](${at(`/${placeOf(page)}`)}): ${firstSentenceOf(page)}\n`)
  const lists = [...Object.entries(sections), ['Optional', optionalPages(pages)] as const].map(
    ([title, entries]) => `## ${title}\n\n${listOf(entries).join('')}`,
  )
  writeFileSync(
    join(out, 'llms.txt'),
    [
      `# Signalbox\n\n> ${firstSentenceOf('README.md')}\n\nThe links lead to Markdown; without \`.md\`, they are the pages of the site. ${at('/llms-full.txt')} has the pages before "Optional" in one file.\n`,
      ...lists,
    ].join('\n'),
  )
  const texts = Object.values(sections)
    .flat()
    .map(([, page]) => `<!-- ${at(`/${placeOf(page)}`)} -->\n\n${markdownOf(page, at)}`)
  writeFileSync(join(out, 'llms-full.txt'), texts.join('\n'))
}

const textOf = (page: string) => readFileSync(join(repository, page), 'utf8')

/** Returns the pages of the site, as paths in the repository. */
export function sitePages(): readonly string[] {
  const places = [
    '*.md',
    'docs/**/*.md',
    'benchmarks/*.md',
    'packages/*/README.md',
    'packages/site/generated/**/*.md',
  ]
  return globSync(places, { cwd: repository }).filter(isPage).sort()
}

/** Returns the pages that a reader can leave out: those made from code, and those that the sidebar does not have. */
function optionalPages(pages: readonly string[]): readonly Entry[] {
  const made = generated.flatMap(([, entries]) => entries).filter(([, page]) => pages.includes(page))
  const listed = new Set([...Object.values(sections).flat(), ...made].map(([, page]) => page))
  const others = pages
    .filter(page => !listed.has(page))
    .map(page => [/^# (.*)/m.exec(textOf(page))?.[1] ?? page, page] as const)
  return [...others, ...made]
}

/** Returns the text of a page with links to the Markdown of other pages. Code blocks stay as they are. */
function markdownOf(page: string, at: (address: string) => string): string {
  const withLinks = (text: string) =>
    text.replaceAll(
      /(!?)(\[(?:[^[\]]|\[[^\]]*\])*\]\()([^()\s]+)\)/g,
      (_, mark: string, before: string, href: string) =>
        `${mark}${before}${mark === '!' ? pictureAddressOf(page, href) : markdownLink(page, href, at)})`,
    )
  return textOf(page)
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : withLinks(part)))
    .join('')
}

function markdownLink(page: string, href: string, at: (address: string) => string): string {
  const link = linkOf(page, href, isPage)
  if (!link.startsWith('/')) return link
  const [address = '', anchor] = link.split('#')
  const file = address.endsWith('/') ? `${address}index.md` : `${address}.md`
  return at(anchor === undefined ? file : `${file}#${anchor}`)
}
